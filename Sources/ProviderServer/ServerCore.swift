package import HTTP2Engine
internal import Logging
internal import NIOCore
internal import Synchronization
internal import TLSEngine
internal import Wire

final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger
    let makeDelegate: @Sendable (ConnectionDescription) -> any ConnectionDelegate
    let timeouts: Timeouts
    let attacks = AttackCounters()
    let mistakes: MistakeLog
    let connections: ConnectionCounter
    /// Called for each new client; nil serves it as usual.
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

    /// For new connections.
    var tlsContext: TLSContext {
        get { tls.withLock { $0 } }
        set { tls.withLock { $0 = newValue } }
    }

    func makeTLSHandler(
        traffic: Traffic, connectTarget: String?, loop: EventLoopState
    ) throws(TLSError) -> ConnectionHandler {
        ConnectionHandler(
            server: self, transport: .tls(try TLSConnection(context: tlsContext)), traffic: traffic,
            connectTarget: connectTarget, loop: loop)
    }
}

/// How often each limit ended something.
package final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    package init() {}

    /// Never called on the path of an accepted push.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    package subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
