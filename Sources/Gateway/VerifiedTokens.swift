internal import APNs
internal import Synchronization

/// A provider token after verification. Cached, because verifying costs twenty times the rest of a request.
final class VerifiedToken: Sendable {
    let keyID: String
    let teamID: String
    let issuedAt: Instant
    let signature: [UInt8]
    /// `nil` for a tolerated unknown key.
    let key: ProviderKey?
    let isRegistered: Bool
    let isTopicSpecific: Bool
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

/// A process-wide cache of verified tokens; starts over when it is full.
final class VerifiedTokens: Sendable {
    private struct State {
        var tokens: [[UInt8]: VerifiedToken] = [:]
        var revision: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// - Parameter revision: Of keys and settings; results from earlier revisions are invalid.
    func find(_ bytes: [UInt8], revision: UInt64) -> VerifiedToken? {
        state.withLock { $0.revision == revision ? $0.tokens[bytes] : nil }
    }

    func insert(_ token: VerifiedToken, for bytes: [UInt8], revision: UInt64) {
        state.withLock { state in
            if state.revision != revision || state.tokens.count >= capacity { state = State(revision: revision) }
            state.tokens[bytes] = token
        }
    }
}
