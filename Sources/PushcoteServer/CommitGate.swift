internal import DeviceSimulator
internal import NIOCore
internal import ProviderServer
internal import Synchronization

/// Answers of one event loop that wait until what they tell of is on disk.
///
/// - Note: Confined to its event loop.
final class CommitGate {
    private struct Waiting {
        let position: UInt64
        let responder: Responder
        let respond: (JournalOutcome) -> Void
    }

    private let keeper: JournalKeeper
    private let bell: CommitBell
    /// In the order of their positions, as pushes of one loop get them one after the other.
    private var waiting: CircularBuffer<Waiting> = []

    fileprivate init(keeper: JournalKeeper, bell: CommitBell) {
        self.keeper = keeper
        self.bell = bell
    }

    /// Calls `respond` once it is known whether an input is on disk.
    func wait(for position: UInt64, _ responder: Responder, _ respond: @escaping (JournalOutcome) -> Void) {
        waiting.append(Waiting(position: position, responder: responder, respond: respond))
        bell.ask()
        // Whoever writes looks at the bell after telling; asking first, nothing is missed.
        if keeper.outcome(of: position) != nil { resume() }
    }

    /// Answers whatever can be answered, with one write for each connection.
    fileprivate func resume() {
        var held: [Responder] = []
        while let first = waiting.first, let outcome = keeper.outcome(of: first.position) {
            waiting.removeFirst()
            if first.responder.hold() { held.append(first.responder) }
            first.respond(outcome)
        }
        for responder in held { responder.flushHeld() }
        guard let first = waiting.first else { return }
        bell.ask()
        if keeper.outcome(of: first.position) != nil { resume() }
    }
}

/// Whether a loop's gate wants to hear of the next commit.
private final class CommitBell: Sendable {
    private let isAsked = Atomic<Bool>(false)

    func ask() { isAsked.store(true, ordering: .sequentiallyConsistent) }

    /// - Returns: Whether somebody asked since the last time.
    func take() -> Bool { isAsked.exchange(false, ordering: .sequentiallyConsistent) }
}

/// A gate for each event loop; a commit costs each loop one hop at most.
struct CommitGates: Sendable {
    private let gates: [NIOLoopBound<CommitGate>]

    init(_ keeper: JournalKeeper, _ loops: any EventLoopGroup) async throws {
        var gates: [NIOLoopBound<CommitGate>] = []
        for loop in loops.makeIterator() {
            let bell = CommitBell()
            let gate = try await loop.submit {
                NIOLoopBound(CommitGate(keeper: keeper, bell: bell), eventLoop: loop)
            }.get()
            keeper.onProgress {
                guard bell.take() else { return }
                loop.execute { gate.value.resume() }
            }
            gates.append(gate)
        }
        self.gates = gates
    }

    /// The gate of the event loop that asks.
    var current: CommitGate? { gates.first { $0.eventLoop.inEventLoop }?.value }
}
