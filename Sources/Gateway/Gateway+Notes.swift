package import APNs
internal import DeviceSimulator
package import TLSEngine

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the gateway itself knows and keeps with the devices: where the clock stands, and the keys that were registered here.
extension Gateway {
    private static let clockName = "clock"
    private static let keyPrefix = "key:"

    /// A key as it is noted. Its private half is nobody's business here.
    private struct KeyNote: Codable {
        var key: ProviderKey
        var publicKey: String
    }

    /// Registers a provider key so that it is there after a restart, too.
    package func keep(_ key: ProviderKey, publicKey: P256PublicKey) {
        keys.register(key, publicKey: publicKey)
        guard keeper != nil, let note = try? JSONEncoder().encode(KeyNote(key: key, publicKey: publicKey.pem)) else {
            return
        }
        simulator.note(String(decoding: note, as: UTF8.self), as: Self.keyPrefix + key.keyID)
    }

    /// Forgets a provider key; one of the configuration is back with the next start.
    /// - Returns: Whether there was such a key.
    package func forgetKey(_ keyID: String) -> Bool {
        if keeper != nil { simulator.note(nil, as: Self.keyPrefix + keyID) }
        return keys.remove(keyID)
    }

    /// Notes where the clock stands; called with every change of it.
    func noteClock() {
        guard keeper != nil else { return }
        simulator.note(clock.mode == .manual ? String(clock.now().milliseconds) : nil, as: Self.clockName)
    }

    /// Sets the clock and registers the keys as noted.
    func followNotes() {
        guard keeper != nil else { return }
        clock.show(simulator.note(Self.clockName).flatMap(Int64.init).map { Instant(milliseconds: $0) })
        for note in simulator.notes(beginning: Self.keyPrefix).values {
            guard let note = try? JSONDecoder().decode(KeyNote.self, from: Data(note.utf8)),
                let publicKey = try? P256PublicKey(pem: note.publicKey)
            else { continue }
            keys.register(note.key, publicKey: publicKey)
        }
    }
}
