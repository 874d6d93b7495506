package import DeviceModel
package import Time

/// Inputs of the decision whether to suggest an action; one bit each.
package enum PredictionFact: UInt8, CaseIterable, Codable, Sendable {
    case isReservation, isIneligible, hasNoKey, isIncoming, isAlwaysShown
    case hasFewDays, isIrregular, isNotAwake, isDone, isHandled, isEarlyOrLate
}

/// Whether an action is suggested, and if not, why.
package enum PredictionVerdict: String, CaseIterable, Codable, Sendable, PolicyAnswer {
    case suggested, notNow, done, handled, notAwake, irregular, fewDays, incoming, noCombination, ineligible,
        reservation
}

/// A key of equal donations, with the predictor's result (F.3).
package struct Prediction: Sendable {
    package let app: String
    /// nil for donations without a complete combination.
    package let key: DonationKey?
    private let donation: Latest
    package internal(set) var facts: FactSet<PredictionFact> = []
    /// Of the candidate below; nil without donations in the window.
    package internal(set) var pattern: Pattern?
    package internal(set) var verdict = PredictionVerdict.suggested

    /// Shared by the copies that a predictor compares.
    private final class Latest: Sendable {
        let entry: DonationEntry

        init(_ entry: DonationEntry) { self.entry = entry }
    }

    init(app: String, key: DonationKey?, latest: DonationEntry) {
        (self.app, self.key, donation) = (app, key, Latest(latest))
    }

    /// The latest of its donations.
    package var latest: DonationEntry { donation.entry }

    /// Unique on a device.
    package var id: String { "\(app)/\(key?.text ?? latest.donation.intentClass ?? "")" }

    package var score: Double { pattern?.score ?? 0 }
}

/// Donations of a key at about the same time of different days.
package struct Pattern: Sendable {
    package let anchor: Anchor
    /// Only donations at this place count; nil for all.
    package let place: String?
    /// The median, counted from the anchor.
    package let minute: Int
    /// Days with a donation near the median.
    package let hits: Int
    /// Days from the first hit to today; only weekdays, or only days of the weekend, if all hits and today are such.
    package let days: Int
    package let score: Double
    /// nil if the anchor has not occurred today.
    package let predictedAt: Instant?
    let isDone: Bool

    package var ratio: Double { Double(hits) / Double(max(1, days)) }

    package enum Anchor: String, CaseIterable, Codable, Sendable { case waking, midnight }
}

extension Prediction: Decidable {
    mutating func decide(_ trace: Trace<Void>? = nil) {
        verdict = predictionTable.decide(self, trace) ?? .suggested
        trace?.decides()
    }

    /// Every rule tried; the last one decided.
    package var trace: [TraceStep] {
        var copy = self
        let trace = Trace()
        copy.decide(trace)
        return trace.steps
    }

    /// For people, such as `3 of 4 days`.
    package var sentence: String {
        guard let pattern else { return verdict.sentence }
        let from = pattern.anchor == .waking ? "\(pattern.minute) min after waking" : "about \(pattern.clock)"
        let place = pattern.place.map { " at \($0)" } ?? ""
        return "\(pattern.hits) of \(pattern.days) days, \(from)\(place): \(verdict.sentence)"
    }
}

extension Pattern {
    package var clock: String { WallTime(hour: minute / 60 % 24, minute: minute % 60).text }
}

extension PredictionVerdict {
    package var sentence: String {
        switch self {
        case .suggested: "suggested now"
        case .notNow: "not at this time"
        case .done: "already done today"
        case .handled: "already run or dismissed today"
        case .notAwake: "the person has not woken today"
        case .irregular: "on too few of the days"
        case .fewDays: "on too few days"
        case .incoming: "incoming interactions do not count"
        case .noCombination: "no combination of parameters is complete"
        case .ineligible: "eligibleForSuggestions is off"
        case .reservation: "reservations are not suggested as actions"
        }
    }
}

/// Whether a key is suggested (F.2, F.3).
let predictionTable = DecisionTable<Prediction, PredictionVerdict>(
    stage: "suggestion",
    rows: [
        Rule("P1", .reservation, "F.2").asks("Is it a reservation?", when: [.isReservation]),
        Rule("P2", .ineligible, "F.2, doc: WWDC18-211").asks(
            "Is it not eligible for suggestions?", when: [.isIneligible]),
        Rule("P3", .noCombination, "WWDC21 10231 (S1-6)").asks(
            "Is there no combination whose parameters all have values?", when: [.hasNoKey]),
        Rule("P4", .incoming, "WWDC21 10091 (S0-39)").asks("Is every such donation incoming?", when: [.isIncoming]),
        Rule("P5", .handled, "design").asks("Did the person run or dismiss it today?", when: [.isHandled]),
        Rule("P6", .suggested, "doc: WWDC21-10049").asks("Is alwaysShowsSuggestions on?", when: [.isAlwaysShown]),
        Rule("P7", .fewDays, "WWDC21 10231 (S1-13)").asks(
            { "Is the pattern on fewer days than predictionDays\($0.pattern.map { " (\($0.hits))" } ?? "")?" },
            when: [.hasFewDays]),
        Rule("P8", .irregular, "design").asks(
            {
                "Is \($0.pattern.map { "\($0.hits) of \($0.days) days" } ?? "its share of days") below predictionRatio?"
            },
            when: [.isIrregular]),
        Rule("P9", .notAwake, "WWDC21 10231 (S1-13)").asks(
            "Does it follow waking, and has the person not woken today?", when: [.isNotAwake]),
        Rule("P10", .done, "design").asks("Was it donated today at that time?", when: [.isDone]),
        Rule("P11", .notNow, "design").asks(
            { "Is it more than predictionTolerance from \($0.pattern?.predictedAt?.text ?? "its time")?" },
            when: [.isEarlyOrLate]),
        Rule.otherwise("P12", .suggested, "WWDC21 10231 (S1-13)"),
    ])
