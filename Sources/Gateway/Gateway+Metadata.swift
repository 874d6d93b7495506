package import APNs
internal import DeviceSimulator
internal import Fields
internal import FoundationEssentials
internal import JSON
package import TLSEngine
package import Webhooks

/// Persists the clock, and the keys and webhooks set through the API, with the devices.
extension Gateway {
    private static let clockName = "clock"
    private static let keyPrefix = "key:"
    private static let webhookPrefix = "webhook:"

    private struct StoredKey: Codable {
        var key: ProviderKey
        var publicKey: String
    }

    /// Registers a provider key and persists it.
    package func store(_ key: ProviderKey, publicKey: P256PublicKey) {
        keys.register(key, publicKey: publicKey)
        guard keeper != nil, let text = try? JSONEncoder().encode(StoredKey(key: key, publicKey: publicKey.pem)) else {
            return
        }
        simulator.setMetadata(String(decoding: text, as: UTF8.self), for: Self.keyPrefix + key.keyID)
    }

    /// Removes a provider key. A key from the configuration returns at the next start.
    package func forgetKey(_ keyID: String) -> Bool {
        if keeper != nil { simulator.setMetadata(nil, for: Self.keyPrefix + keyID) }
        return keys.remove(keyID)
    }

    /// Sets a webhook and persists it.
    ///
    /// - Returns: Whether its name is new.
    package func store(_ webhook: Webhook) throws(WebhookTable.Full) -> Bool {
        let isNew = try webhooks.set(webhook)
        if keeper != nil { simulator.setMetadata(webhook.json.text, for: Self.webhookPrefix + webhook.name) }
        return isNew
    }

    /// Removes webhooks. One from the configuration returns at the next start.
    package func forgetWebhooks(where matches: (String) -> Bool) -> Int {
        if keeper != nil {
            for key in simulator.metadata(withPrefix: Self.webhookPrefix).keys
            where matches(String(key.dropFirst(Self.webhookPrefix.count))) {
                simulator.setMetadata(nil, for: key)
            }
        }
        return webhooks.remove { matches($0.name) }
    }

    func saveClock() {
        guard keeper != nil else { return }
        simulator.setMetadata(clock.text, for: Self.clockName)
    }

    func restoreMetadata() {
        guard keeper != nil else { return }
        clock.restore(simulator.metadata(Self.clockName))
        for text in simulator.metadata(withPrefix: Self.keyPrefix).values {
            guard let stored = try? JSONDecoder().decode(StoredKey.self, from: Data(text.utf8)),
                let publicKey = try? P256PublicKey(pem: stored.publicKey)
            else { continue }
            keys.register(stored.key, publicKey: publicKey)
        }
        for (_, text) in simulator.metadata(withPrefix: Self.webhookPrefix).sorted(by: { $0.key < $1.key }) {
            guard let webhook = try? JSONDecoder().decode(Webhook.self, from: Data(text.utf8)) else { continue }
            _ = try? webhooks.set(webhook)
        }
    }
}
