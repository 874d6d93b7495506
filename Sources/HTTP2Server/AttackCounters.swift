public import HTTP2Engine
internal import Synchronization

/// How often each bound ended something.
public final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    public init() {}

    /// Counts one. No push on its way gets here.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    /// How often it was.
    public subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
