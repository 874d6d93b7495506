internal import APNs
internal import Synchronization

/// A provider token whose signature was checked once; checking costs twenty times as much as the rest of a request.
final class VerifiedToken: Sendable {
    let keyID: String
    let teamID: String
    let issuedAt: Instant
    let signature: [UInt8]
    /// The registered key; `nil` when it is unknown and tolerated.
    let key: ProviderKey?
    /// The key is known here.
    let isRegistered: Bool
    /// The key is for some topics only.
    let isTopicSpecific: Bool
    /// The key is for one environment only.
    let isEnvironmentSpecific: Bool

    init(_ token: ProviderToken, key: ProviderKey?) {
        keyID = token.keyID
        teamID = token.teamID
        issuedAt = token.issuedAt
        signature = token.signature
        self.key = key
        isRegistered = key != nil
        isTopicSpecific = key.map { $0.scope != .team } ?? false
        isEnvironmentSpecific = key.map { $0.environments.count < APNsEnvironment.allCases.count } ?? false
    }
}

/// Verified tokens of the whole process by their bytes; the oldest is evicted.
final class VerifiedTokens: Sendable {
    private struct State {
        var tokens: [[UInt8]: VerifiedToken] = [:]
        var order: [[UInt8]] = []
        var next = 0
        var revision: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// - Parameter revision: Of keys and settings; tokens verified with earlier ones are invalid.
    func find(_ bytes: [UInt8], revision: UInt64) -> VerifiedToken? {
        state.withLock { $0.revision == revision ? $0.tokens[bytes] : nil }
    }

    func insert(_ token: VerifiedToken, for bytes: [UInt8], revision: UInt64) {
        state.withLock { state in
            if state.revision != revision { state = State(revision: revision) }
            guard state.tokens.updateValue(token, forKey: bytes) == nil else { return }
            if state.order.count < capacity {
                state.order.append(bytes)
            } else {
                state.tokens[state.order[state.next]] = nil
                state.order[state.next] = bytes
                state.next = (state.next + 1) % capacity
            }
        }
    }
}
