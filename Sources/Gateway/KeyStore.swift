package import APNs
internal import Synchronization
package import TLSEngine

/// The registered provider keys.
package final class KeyStore: Sendable {
    struct Entry: Sendable {
        var key: ProviderKey
        var publicKey: P256PublicKey
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Incremented when keys change, to invalidate cached tokens.
    private let revisionCount = Atomic<UInt64>(0)

    var revision: UInt64 { revisionCount.load(ordering: .acquiring) }

    subscript(_ keyID: String) -> Entry? { entries.withLock { $0[keyID] } }

    package func key(_ keyID: String) -> ProviderKey? { self[keyID]?.key }

    package var keys: [ProviderKey] { entries.withLock { $0.values.map(\.key).sorted { $0.keyID < $1.keyID } } }

    package func register(_ key: ProviderKey, publicKey: P256PublicKey) {
        entries.withLock { $0[key.keyID] = Entry(key: key, publicKey: publicKey) }
        revisionCount.add(1, ordering: .releasing)
    }

    @discardableResult
    package func remove(_ keyID: String) -> Bool {
        let removed = entries.withLock { $0.removeValue(forKey: keyID) != nil }
        revisionCount.add(1, ordering: .releasing)
        return removed
    }
}
