internal import APNs
internal import JSON
internal import Time

/// One firing of a rule, with its random choices.
package final class FaultFiring: Sendable {
    package let rule: String
    package let effect: FaultEffect
    /// From `effect.answers` or `effect.answer`; `nil` for the gateway's own answer.
    package let answer: FaultAnswer?
    /// Includes jitter.
    package let delay: Duration
    /// Whether the rule has now fired its `count`.
    let isLast: Bool

    init(rule: String, effect: FaultEffect, answer: FaultAnswer?, delay: Duration, isLast: Bool = false) {
        self.rule = rule
        self.effect = effect
        self.answer = answer
        self.delay = delay
        self.isLast = isLast
    }

    /// Whether the rule handles the request, which is then neither accepted nor rejected.
    func handlesRequest(verdict: APNsReason?) -> Bool {
        // Streams above an announced last-stream-id are not processed.
        if effect.isUnprocessed { return true }
        switch effect.loses {
        case .request: return true
        case .answer: return false
        case nil: break
        }
        // The status of an answer that is not sent decides nothing.
        guard isAnswered else { return true }
        return answer.map { $0.code != 200 || verdict != nil } ?? false
    }

    package var isAnswered: Bool {
        effect.loses == nil && effect.resets == nil && effect.connection?.when != .before && !effect.isUnprocessed
    }

    package var leavesUnprocessed: Bool { handlesRequest(verdict: nil) && !isAnswered }

    package var fate: DelayedAnswer.Fate {
        if effect.isUnprocessed { return .unprocessed }
        return effect.resets != nil ? .reset : .withheld
    }
}

extension FaultAnswer {
    /// - Parameter now: When the request arrived; the default timestamp of a 410.
    func bytes(now: Instant) -> [UInt8] {
        if omits.contains(.body) { return [] }
        if let body { return Array(body.utf8) }
        let time = omits.contains(.timestamp) ? nil : timestamp ?? (code == 410 ? Int(now.milliseconds) : nil)
        // Control characters, which no reason contains, become spaces.
        let word = reason.map { String($0.map { $0 < " " ? " " : $0 }) }
        let members: JSONObject = ["reason": word.map { .string($0) }, "timestamp": time.map { .integer($0) }]
        return members.isEmpty ? [] : JSONValue.object(members).bytes
    }
}

extension FaultGoAway {
    package var bytes: [UInt8] {
        if let debugData { return Array(debugData.utf8) }
        var answer = FaultAnswer()
        answer.reason = reason
        return answer.bytes(now: Instant(milliseconds: 0))
    }
}
