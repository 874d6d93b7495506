internal import APNs
internal import Synchronization

/// A provider token whose signature was checked once; checking costs twenty times as much as the rest of a request.
struct VerifiedToken: Sendable {
    var keyID: String
    var teamID: String
    var issuedAt: Instant
    var signature: [UInt8]
    /// The registered key; `nil` when it is unknown and tolerated.
    var key: ProviderKey?
}

/// Verified tokens of the whole process by their bytes; bounded, the oldest makes room.
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

    /// - Parameter revision: Of the key store; tokens verified with earlier keys are forgotten.
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
