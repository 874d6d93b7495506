internal import APNs

/// A rule that fires, with its random choices made.
package final class FaultFiring: Sendable {
    package let rule: String
    package let effect: FaultEffect
    /// The next of `effect.answers`, or `effect.answer`; `nil` for the gateway's own answer.
    package let answer: FaultAnswer?
    /// How long to wait, jitter included.
    package let delay: Duration

    init(rule: String, effect: FaultEffect, answer: FaultAnswer?, delay: Duration) {
        self.rule = rule
        self.effect = effect
        self.answer = answer
        self.delay = delay
    }

    /// Whether the rule handles the request, so that it is neither accepted nor rejected.
    func takes(verdict: APNsReason?) -> Bool {
        // Nothing above an announced last-stream-id is processed.
        if effect.isUnprocessed { return true }
        if let answer { return answer.code != 200 || verdict != nil }
        switch effect.loses {
        case .request: return true
        case .answer: return false
        case nil: break
        }
        return effect.resets != nil || effect.connection?.when == .before
    }

    /// Whether the stream gets an answer at all.
    package var isAnswered: Bool {
        effect.loses == nil && effect.resets == nil && effect.connection?.when != .before && !effect.isUnprocessed
    }

    /// Whether the request counts as unprocessed in a GOAWAY.
    package var leavesUnprocessed: Bool { takes(verdict: nil) && !isAnswered }

    /// What becomes of the answer when it is not sent.
    package var fate: AnswerNote.Fate {
        if effect.isUnprocessed { return .unprocessed }
        return effect.resets != nil ? .reset : .withheld
    }
}

extension FaultAnswer {
    /// The bytes of the body.
    /// - Parameter now: When the request arrived.
    func bytes(now: Instant) -> [UInt8] {
        if omits.contains(.body) { return [] }
        if let body { return Array(body.utf8) }
        let time = omits.contains(.timestamp) ? nil : timestamp ?? (status == 410 ? Int(now.milliseconds) : nil)
        let members = [
            reason.map { #""reason":""# + $0.map(Self.escaped).joined() + "\"" }, time.map { #""timestamp":\#($0)"# },
        ].compactMap(\.self)
        return members.isEmpty ? [] : Array("{\(members.joined(separator: ","))}".utf8)
    }

    /// A character inside a JSON string; control characters, which no reason has, become spaces.
    private static func escaped(_ character: Character) -> String {
        switch character {
        case "\"", "\\": "\\\(character)"
        case let other where other.unicodeScalars.contains { $0.value < 0x20 }: " "
        case let other: String(other)
        }
    }
}

extension FaultGoAway {
    /// The debug data of the first frame.
    package var bytes: [UInt8] {
        if let debugData { return Array(debugData.utf8) }
        var answer = FaultAnswer()
        answer.reason = reason
        return answer.bytes(now: Instant(milliseconds: 0))
    }
}
