package import HTTP2Engine
internal import Synchronization

/// How often each limit was enforced.
package final class AttackCounters: Sendable {
    private let counts = Mutex([AttackClass: UInt64]())

    /// Never called on the path of an accepted push.
    func add(_ attack: AttackClass, _ count: Int = 1) { counts.withLock { $0[attack, default: 0] += UInt64(count) } }

    package subscript(attack: AttackClass) -> UInt64 { counts.withLock { $0[attack] ?? 0 } }
}
