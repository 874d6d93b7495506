package import APNs
internal import Queries
package import RequestWire

package struct RelayedPush: Sendable {
    /// The number of the request's record.
    package let record: UInt64
    package let token: DeviceToken
    /// Those of APNs, as sent.
    package let headers: [(name: String, value: String)]
    /// The client's own.
    package let authorization: String?
    package let payload: [UInt8]
    let answer: RelayAnswer?
    /// Another gateway's relay sent it, so this one's must not: two that relay to each other would never end.
    package let isRelayed: Bool

    /// The header of relayed pushes.
    package static let mark = "pushcote-relayed"
}

extension ProviderConnection {
    /// The headers of APNs, except the token.
    private static let relayedPrefix = "apns-"

    /// A push to relay; nil for a request that the rules exclude.
    package func relayed(
        _ request: borrowing RequestBlock, _ answer: Answer, by rules: RelayRules
    ) -> RelayedPush? {
        guard answer.record > 0, let token = Self.token(of: request), rules.allowed.contains(token),
            request.value(of: .method) == "POST"
        else { return nil }
        let facts = facts(of: request, token: token)
        // A longer payload was not stored as a whole.
        guard request.bodyByteCount == facts.payload.count, rules.condition?.matches(facts.document) ?? true else {
            return nil
        }
        return RelayedPush(
            record: answer.record, token: token,
            headers: facts.headers.filter { $0.name.hasPrefix(Self.relayedPrefix) },
            authorization: request.value(of: .authorization), payload: facts.payload,
            answer: answer.fault?.isAnswered == false
                ? nil : RelayAnswer(status: Int(answer.status), body: answer.body),
            isRelayed: facts.headers.contains { $0.name == RelayedPush.mark })
    }
}
