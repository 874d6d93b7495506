internal import APNs

/// A rule that fires, and what chance and its script have decided.
package final class FaultFiring: Sendable {
    package let rule: String
    package let effect: FaultEffect
    /// The answer of the script, or the only one; `nil` when the gateway's own is given.
    package let answer: FaultAnswer?
    /// How long to wait, jitter included.
    package let delay: Duration

    init(rule: String, effect: FaultEffect, answer: FaultAnswer?, delay: Duration) {
        self.rule = rule
        self.effect = effect
        self.answer = answer
        self.delay = delay
    }

    /// Whether the request is taken away from the gateway: it is neither accepted nor refused.
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

    /// Whether nothing is done about the request: no GOAWAY has to count it.
    package var leavesUnprocessed: Bool { takes(verdict: nil) && !isAnswered }

    /// What becomes of an answer that is not sent.
    package var fate: AnswerNote.Fate {
        if effect.isUnprocessed { return .unprocessed }
        return effect.resets != nil ? .reset : .withheld
    }
}

extension FaultEffect {
    /// Whether the request's stream is above the last-stream-id of its GOAWAY.
    var isUnprocessed: Bool {
        guard let goAway else { return false }
        return goAway.unprocessed > 0 || goAway.lastStream != nil
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
        guard let reason else { return [] }
        return FaultAnswer(200, reason).bytes(now: Instant(milliseconds: 0))
    }
}
