internal import JSON
package import Time

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
