package import HTTP2Engine
internal import Logging
internal import NIOCore
internal import Synchronization
internal import TLSEngine
internal import Wire

/// What every connection of a server shares.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger
    let makeDelegate: @Sendable (ConnectionDescription) -> any ConnectionDelegate
    let timeouts: Timeouts
    let attacks = AttackCounters()
    let mistakes: MistakeLog
    let connections: ConnectionCounter
    /// Asked for each client that connects; `nil` serves it as usual.
    let acceptFault: @Sendable () -> AcceptFault?
    private let tls: Mutex<TLSContext>

    init(
        configuration: ServerConfiguration, tls: TLSContext, logger: Logger,
        acceptFault: @escaping @Sendable () -> AcceptFault?,
        makeDelegate: @escaping @Sendable (ConnectionDescription) -> any ConnectionDelegate
    ) {
        self.configuration = configuration
        self.logger = logger
        mistakes = MistakeLog(logger: logger)
        self.makeDelegate = makeDelegate
        self.acceptFault = acceptFault
        self.tls = Mutex(tls)
        timeouts = Timeouts(configuration.limits)
        connections = ConnectionCounter(configuration.limits)
    }

    /// The certificates new connections get.
    var tlsContext: TLSContext {
        get { tls.withLock { $0 } }
        set { tls.withLock { $0 = newValue } }
    }

    /// The handler that ends TLS and speaks HTTP/2.
    func makeTLSHandler(
        traffic: Traffic, connectTarget: String?, loop: EventLoopState
    ) throws(TLSError) -> ConnectionHandler {
        ConnectionHandler(
            server: self, transport: .tls(try TLSConnection(context: tlsContext)), traffic: traffic,
            connectTarget: connectTarget, loop: loop)
    }
}

/// How often each bound ended something.
package final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    package init() {}

    /// Counts one. No push on its way gets here.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    /// How often it was.
    package subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
