internal import APNs

/// One firing of a rule, with its random choices.
package final class FaultFiring: Sendable {
    package let rule: String
    package let effect: FaultEffect
    /// From `effect.answers` or `effect.answer`; `nil` for the gateway's own answer.
    package let answer: FaultAnswer?
    /// Includes jitter.
    package let delay: Duration

    init(rule: String, effect: FaultEffect, answer: FaultAnswer?, delay: Duration) {
        self.rule = rule
        self.effect = effect
        self.answer = answer
        self.delay = delay
    }

    /// Whether the rule handles the request, which is then neither accepted nor rejected.
    func takes(verdict: APNsReason?) -> Bool {
        // Streams above an announced last-stream-id are not processed.
        if effect.isUnprocessed { return true }
        if let answer { return answer.code != 200 || verdict != nil }
        switch effect.loses {
        case .request: return true
        case .answer: return false
        case nil: break
        }
        return effect.resets != nil || effect.connection?.when == .before
    }

    package var isAnswered: Bool {
        effect.loses == nil && effect.resets == nil && effect.connection?.when != .before && !effect.isUnprocessed
    }

    package var leavesUnprocessed: Bool { takes(verdict: nil) && !isAnswered }

    package var fate: AnswerNote.Fate {
        if effect.isUnprocessed { return .unprocessed }
        return effect.resets != nil ? .reset : .withheld
    }
}

extension FaultAnswer {
    /// - Parameter now: When the request arrived; the default timestamp of a 410.
    func bytes(now: Instant) -> [UInt8] {
        if omits.contains(.body) { return [] }
        if let body { return Array(body.utf8) }
        let time = omits.contains(.timestamp) ? nil : timestamp ?? (status == 410 ? Int(now.milliseconds) : nil)
        let members = [
            reason.map { #""reason":""# + $0.map(Self.escaped).joined() + "\"" }, time.map { #""timestamp":\#($0)"# },
        ].compactMap(\.self)
        return members.isEmpty ? [] : Array("{\(members.joined(separator: ","))}".utf8)
    }

    /// Escapes for JSON; control characters, which no reason contains, become spaces.
    private static func escaped(_ character: Character) -> String {
        switch character {
        case "\"", "\\": "\\\(character)"
        case let other where other.unicodeScalars.contains { $0.value < 0x20 }: " "
        case let other: String(other)
        }
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
