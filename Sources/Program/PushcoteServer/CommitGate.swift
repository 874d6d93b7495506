internal import DeviceSimulator
internal import NIOCore
internal import ProviderServer
internal import Synchronization

/// Holds the answers of one event loop until their pushes are committed. Confined to that event loop.
final class CommitGate {
    private struct Waiting {
        let position: UInt64
        let responder: Responder
        let respond: (JournalOutcome) -> Void
    }

    private let keeper: JournalKeeper
    private let waitingFlag: WaitingFlag
    private let eventLoop: any EventLoop
    private var waiting: CircularBuffer<Waiting> = []

    fileprivate init(keeper: JournalKeeper, waitingFlag: WaitingFlag, eventLoop: any EventLoop) {
        self.keeper = keeper
        self.waitingFlag = waitingFlag
        self.eventLoop = eventLoop
    }

    func wait(for position: UInt64, _ responder: Responder, _ respond: @escaping (JournalOutcome) -> Void) {
        waiting.append(Waiting(position: position, responder: responder, respond: respond))
        waitingFlag.set()
        // The writer reads the flag after publishing its progress, so this order misses no commit.
        // Not at once: a connection is in its turn, and its unsent frames are in the event loop's buffer.
        if keeper.outcome(of: position) != nil { eventLoop.assumeIsolated().execute { self.resume() } }
    }

    /// Sends the answers with a known outcome, in one write per connection.
    fileprivate func resume() {
        var held: [Responder] = []
        while let first = waiting.first, let outcome = keeper.outcome(of: first.position) {
            waiting.removeFirst()
            if first.responder.hold() { held.append(first.responder) }
            first.respond(outcome)
        }
        for responder in held { responder.flushHeld() }
        guard let first = waiting.first else { return }
        waitingFlag.set()
        if keeper.outcome(of: first.position) != nil { resume() }
    }
}

/// Set while a gate waits for the next commit.
private final class WaitingFlag: Sendable {
    private let isSet = Atomic<Bool>(false)

    func set() { isSet.store(true, ordering: .sequentiallyConsistent) }

    /// - Returns: Whether it was set.
    func clear() -> Bool { isSet.exchange(false, ordering: .sequentiallyConsistent) }
}

/// One gate per event loop; a commit costs each loop at most one hop.
struct CommitGates: Sendable {
    private let gates: [NIOLoopBound<CommitGate>]

    init(_ keeper: JournalKeeper, _ loops: any EventLoopGroup) async throws {
        var gates: [NIOLoopBound<CommitGate>] = []
        for loop in loops.makeIterator() {
            let waitingFlag = WaitingFlag()
            let gate = try await loop.submit {
                NIOLoopBound(
                    CommitGate(keeper: keeper, waitingFlag: waitingFlag, eventLoop: loop), eventLoop: loop)
            }.get()
            keeper.onProgress {
                guard waitingFlag.clear() else { return }
                loop.execute { gate.value.resume() }
            }
            gates.append(gate)
        }
        self.gates = gates
    }

    var current: CommitGate? { gates.first { $0.eventLoop.inEventLoop }?.value }
}
