package import APNs
package import Fields
internal import JSON
package import Queries
package import RequestWire
package import Time

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

/// Status and reason, ours or the upstream's.
package struct RelayAnswer: Sendable, Hashable {
    package let status: Int
    package let reason: String?

    package init(status: Int, body: [UInt8]) {
        self.status = status
        reason = Self.reason(in: body)
    }

    /// Of an answer, or of GOAWAY's debug data.
    package static func reason(in body: [UInt8]) -> String? { JSONValue(body.span.bytes)?["reason"]?.string }

    package var text: String { ([String(status)] + [reason].compactMap(\.self)).joined(separator: " ") }
}

/// What the upstream did with a push.
package final class RelayResult: Sendable, Codable {
    package let upstream: String
    package let outcome: Outcome
    package let status: Int?
    package let reason: String?
    package let error: String?
    /// `APNs said 400 BadDeviceToken, we said 200`; nil unless the answers differ.
    package let difference: String?
    package let at: Instant

    package enum Outcome: String, CaseIterable, Codable, Sendable {
        /// Queued or sent; there is no answer yet.
        case waiting
        case agrees, differs
        /// The upstream was not reached, or did not answer; the push may have arrived.
        case failed
        /// Not sent, because the queue was full.
        case dropped
    }

    package enum Fate: Sendable {
        case waiting
        case answered(RelayAnswer)
        case failed(String)
        case dropped
    }

    init(_ fate: Fate, of push: RelayedPush, upstream: String, at: Instant) {
        (self.upstream, self.at) = (upstream, at)
        var (answer, error, difference): (RelayAnswer?, String?, String?)
        switch fate {
        case .waiting: outcome = .waiting
        case .dropped: outcome = .dropped
        case .failed(let reason): (outcome, error) = (.failed, reason)
        case .answered(let theirs):
            answer = theirs
            outcome = theirs == push.answer ? .agrees : .differs
            let ours = push.answer.map { "said \($0.text)" } ?? "sent no answer"
            if outcome == .differs { difference = "\(upstream) said \(theirs.text), we \(ours)" }
        }
        (status, reason, self.error, self.difference) = (answer?.status, answer?.reason, error, difference)
    }
}

extension Gateway {
    package func record(_ fate: RelayResult.Fate, of push: RelayedPush, by upstream: String) {
        requestLog.record(RelayResult(fate, of: push, upstream: upstream, at: now()), for: push.record)
    }
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

package struct RelaySettings: Sendable, Equatable {
    package var name = "upstream"
    /// nil turns the relay off.
    package var url: String?
    package var allowedTokens: [String] = []
    package var condition: WrittenQuery?
    /// PEM; nil trusts the system's.
    package var authorities: String?
    /// A .p8 file; nil relays the client's own provider token.
    package var keyFile: String?
    package var keyID: String?
    package var teamID: String?
    package var certificate: String?
    package var certificateKey: String?

    package init() {}

    package var rules: RelayRules {
        RelayRules(
            name: name, allowed: Set(allowedTokens.compactMap { DeviceToken(hex: Array($0.utf8).span.bytes) }),
            condition: condition)
    }
}

package struct RelayRules: Sendable {
    package var name: String
    package var allowed: Set<DeviceToken>
    package var condition: WrittenQuery?
}

extension FieldFormat {
    package static var requestCondition: FieldFormat<WrittenQuery> { .query(roots: FaultFacts.roots) }
}
