package import HTTP2Engine
internal import Synchronization

/// How often each bound ended something.
package final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    package init() {}

    /// Counts one. No push on its way gets here.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    /// How often it was.
    package subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
