package import APNs
internal import DeviceSimulator
internal import FoundationEssentials
internal import Synchronization
internal import Time

/// Channels managed without credentials.
extension Gateway {
    package func createChannel(
        for bundleID: String, in environment: APNsEnvironment, _ policy: StoragePolicy
    ) throws(APNsRejection) -> String {
        try ChannelRules.checkTopic(bundleID)
        let count = directPushCount.add(1, ordering: .relaxed).newValue
        var identifiers = SplitMix64(seed: identifierSeed &- count)
        do throws(ChannelRefusal) {
            return try identifiers.createChannel(
                for: bundleID, in: environment, policy, at: now(), simulator
            ).key.id
        } catch {
            throw APNsRejection(error, .create, bundleID, environment)
        }
    }

    /// False when there is no such channel.
    package func deleteChannel(_ key: ChannelKey) throws(APNsRejection) -> Bool {
        do throws(ChannelRefusal) {
            try simulator.deleteChannel(key)
            return true
        } catch {
            if error == .missing { return false }
            throw APNsRejection(error, .delete, key.bundleID, key.environment)
        }
    }
}

extension SplitMix64 {
    /// Creates a channel with a new ID, and returns the journal position to await.
    mutating func createChannel(
        for bundleID: String, in environment: APNsEnvironment, _ policy: StoragePolicy, at now: Instant,
        _ simulator: DeviceSimulator
    ) throws(ChannelRefusal) -> (key: ChannelKey, position: UInt64) {
        while true {
            let key = ChannelKey(bundleID: bundleID, environment: environment, id: nextChannelID())
            do throws(ChannelRefusal) {
                return (key, try simulator.createChannel(key, policy: policy, at: now))
            } catch {
                // After a restart with the same seed, the same IDs come again.
                guard error == .taken else { throw error }
            }
        }
    }

    /// 16 bytes as standard base64: 24 characters, as from APNs.
    private mutating func nextChannelID() -> String {
        withUnsafeBytes(of: (word(), word())) { Data($0).base64EncodedString() }
    }
}
