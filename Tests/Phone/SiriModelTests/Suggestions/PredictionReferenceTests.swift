import JSON
import TestSupport
import Testing
import Time

@testable import DeviceModel
@testable import SiriModel

/// The predictor against a slow one that follows F.3 word by word, over random donations.
@Suite struct PredictionReferenceTests {
    @Test("S1-13 S1-17 equal to a simple computation", arguments: 0..<UInt64(20)) func agrees(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var lab = Self.lab()
        var patternCount = 0
        for step in 0..<150 {
            lab.now = lab.now.advanced(by: Int64.random(in: 0...12 * 60, using: &random) * .minute)
            lab.place.regions = [["home"], ["work"], []].randomElement(using: &random) ?? []
            if Int.random(in: 0..<3, using: &random) == 0 { lab.wake() }
            if Int.random(in: 0..<40, using: &random) == 0 {
                lab.device.timeZone = ["Asia/Tokyo", "America/New_York"].randomElement(using: &random) ?? "UTC"
            }
            lab.advance()
            // Otherwise the patterns are those of an earlier time.
            if step % 4 < 2 { try Self.donate(in: &lab, &random) }
            guard step.isMultiple(of: 5) else { continue }
            let predictor = try #require(lab.siri.suggestions.predictor(lab.siri.donations, lab.context))
            let slow = try #require(SlowPredictor(lab))
            #expect(predictor.predictions.map(SlowPredictor.text) == slow.sorted, "seed \(seed), step \(step)")
            #expect(predictor.nextChange == slow.nextChange, "seed \(seed), step \(step)")
            patternCount += predictor.predictions.count { $0.pattern.map { $0.hits > 2 } ?? false }
        }
        #expect(patternCount > 0)
    }

    /// Before the clocks of New York change, with an intent of two combinations.
    private static func lab() -> Lab {
        var lab = Lab()
        lab.wait(until: "12:00", day: 50)
        lab.device.timeZone = "America/New_York"
        lab.define(
            Lab.weather,
            Lab.intent(
                "CheckWeatherIntent", ["location": "Object<City>", "unit": "String"],
                [["location"], ["location", "unit"]]))
        return lab
    }

    private static func donate(in lab: inout Lab, _ random: inout SplitMix) throws {
        let city = ["rome", "oslo", "lima"].randomElement(using: &random) ?? "rome"
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let message: JSONValue = ["class": .string("INSendMessageIntent"), "conversationIdentifier": .string(city)]
            let direction = [.incoming, .outgoing].randomElement(using: &random) ?? Donation.Direction.outgoing
            try lab.donate(message, app: Lab.coffee, direction: direction)
        case 1: try lab.donate(["class": .string("UnknownIntent")])
        case 2: try lab.donate(Lab.weather(city))
        default:
            guard case .object(var intent) = Lab.weather(city) else { return }
            intent["unit"] = .string("celsius")
            try lab.donate(.object(intent))
        }
    }
}

/// Every key's best pattern, with sets and without a cache.
private struct SlowPredictor {
    private(set) var sorted: [String] = []
    private(set) var nextChange: Instant?
    private let lab: Lab
    private let calendar: LocalCalendar
    private let today: Int64
    private let wokeAt: Instant?

    init?(_ lab: Lab) {
        guard let calendar = lab.device.calendar else { return nil }
        (self.lab, self.calendar, today) = (lab, calendar, calendar.day(at: lab.now))
        wokeAt = lab.siri.suggestions.wokeAt.flatMap { [today] in calendar.day(at: $0) == today ? $0 : nil }
        var keys: [String: (key: DonationKey?, entries: [DonationEntry])] = [:]
        for entry in lab.siri.donations.entries {
            for key in entry.keys.isEmpty ? [nil] : entry.keys.map(Optional.some) {
                let name = "\(entry.app)/\(key?.text ?? entry.donation.intentClass ?? "")"
                keys[name, default: (key, [])].entries.append(entry)
            }
        }
        var found = keys.values.map { predict($0.key, $0.entries) }
        found.sort { ($0.rank, -$0.score, $1.latest.number, $0.id) < ($1.rank, -$1.score, $0.latest.number, $1.id) }
        let classes = Set(found.map(\.kind))
        for kind in classes {
            let places = found.indices.filter { found[$0].kind == kind }
            var ofKind = places.map { found[$0] }
            ofKind.sort { ($0.key?.parameters.count ?? 0) > ($1.key?.parameters.count ?? 0) }
            for (place, prediction) in zip(places, ofKind) { found[place] = prediction }
        }
        sorted = found.map(Self.text)
    }

    static func text(_ prediction: Prediction) -> String {
        let pattern = prediction.pattern.map { "\($0)" } ?? "no pattern"
        return "\(prediction.id) \(prediction.verdict) \(prediction.facts.bits) \(prediction.latest.number) \(pattern)"
    }

    private mutating func predict(_ key: DonationKey?, _ entries: [DonationEntry]) -> Prediction {
        let latest = entries[entries.count - 1]
        var base = Prediction(app: latest.app, key: key, latest: latest)
        let samples = entries.filter {
            $0.teaches && lab.now.milliseconds(since: $0.at) <= lab.assumptions.predictionWindow
        }
        base.facts.insert(.hasNoKey, if: key == nil)
        base.facts.insert(.isIncoming, if: samples.isEmpty && latest.donation.direction == .incoming)
        let days = Set(samples.map { $0.context.day(near: $0.at) })
        if days.count >= lab.assumptions.predictionDays {
            consider(calendar.range(of: LocalDate(day: today)).upperBound)
        }
        var best: Prediction?
        for anchor in Pattern.Anchor.allCases {
            for place in lab.place.regions.first.map({ [$0, nil] }) ?? [nil] {
                guard let pattern = pattern(samples, anchor, at: place, key) else { continue }
                let candidate = decide(base, pattern)
                if pattern.hits >= lab.assumptions.predictionDays {
                    let others = anchor == .midnight ? occurrences(of: pattern.minute).map(\.at) : []
                    for at in others + [pattern.predictedAt].compactMap(\.self) {
                        consider(at.advanced(by: -tolerance))
                        consider(at.advanced(by: tolerance + 1))
                    }
                }
                guard let known = best else {
                    best = candidate
                    continue
                }
                if (candidate.rank, -candidate.score) < (known.rank, -known.score) { best = candidate }
            }
        }
        if let best { return best }
        base.facts.insert(.hasFewDays)
        base.decide()
        return base
    }

    private func decide(_ base: Prediction, _ pattern: Pattern) -> Prediction {
        var candidate = base
        candidate.pattern = pattern
        candidate.facts.insert(.hasFewDays, if: pattern.hits < lab.assumptions.predictionDays)
        candidate.facts.insert(.isIrregular, if: pattern.ratio < lab.assumptions.predictionRatio)
        candidate.facts.insert(.isNotAwake, if: pattern.predictedAt == nil)
        candidate.facts.insert(.isDone, if: pattern.isDone)
        candidate.facts.insert(.isEarlyOrLate, if: pattern.predictedAt.map { distance($0) > tolerance } ?? false)
        candidate.decide()
        return candidate
    }

    private func pattern(
        _ samples: [DonationEntry], _ anchor: Pattern.Anchor, at place: String?, _ key: DonationKey?
    ) -> Pattern? {
        var times: [(day: Int64, minute: Int)] = []
        for entry in samples where place == nil || entry.context.place == place {
            let minute = anchor == .midnight ? entry.context.minuteOfDay : entry.context.sinceWake
            guard let minute else { continue }
            let day = entry.context.day(near: entry.at)
            if !times.contains(where: { $0.day == day && isNear($0.minute, minute) }) { times.append((day, minute)) }
        }
        guard !times.isEmpty else { return nil }
        var minute = median(times.map(\.minute))
        var hits = self.hits(times, minute, anchor)
        if anchor == .midnight {
            let wrapped = median(times.map { $0.minute < 720 ? $0.minute + 1440 : $0.minute }) % 1440
            let others = self.hits(times, wrapped, anchor)
            if others.count > hits.count { (minute, hits) = (wrapped, others) }
        }
        guard let first = hits.min(), let last = hits.max() else { return nil }
        func isWeekend(_ day: Int64) -> Bool { day % 7 == 2 || day % 7 == 3 }  // 1970-01-01 was a Thursday.
        let isAlike = hits.allSatisfy { isWeekend($0) == isWeekend(today) }
        let span = (first...max(today, last)).count { !isAlike || isWeekend($0) == isWeekend(today) }
        let specificity = 1 + lab.assumptions.predictionSpecificity * Double(key?.parameters.count ?? 0)
        var next = wokeAt.map { (day: today, at: $0.advanced(by: Int64(minute) * .minute)) }
        if anchor == .midnight {
            let all = occurrences(of: minute)
            next = all.filter { distance($0.at) <= tolerance }.min { distance($0.at) < distance($1.at) } ?? all[1]
        }
        return Pattern(
            anchor: anchor, place: place, minute: minute, hits: hits.count, days: span,
            score: Double(hits.count) / Double(span) * specificity, predictedAt: next?.at,
            isDone: hits.contains(next?.day ?? today))
    }

    private func hits(_ times: [(day: Int64, minute: Int)], _ median: Int, _ anchor: Pattern.Anchor) -> Set<Int64> {
        let turns: [Int64] = anchor == .midnight ? [-1, 0, 1] : [0]
        return Set(
            times.flatMap { time in
                turns.filter { isNear(time.minute - Int($0) * 1440, median) }.map { time.day + $0 }
            })
    }

    private func median(_ minutes: [Int]) -> Int {
        let sorted = minutes.sorted()
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }

    private func isNear(_ first: Int, _ second: Int) -> Bool { abs(first - second) <= lab.assumptions.predictionBucket }

    private func occurrences(of minute: Int) -> [(day: Int64, at: Instant)] {
        let time = WallTime(hour: minute / 60, minute: minute % 60)
        return (today - 1...today + 1).map { ($0, calendar.instant(of: time, onDay: $0)) }
    }

    private func distance(_ at: Instant) -> Int64 { abs(lab.now.milliseconds(since: at)) }

    private var tolerance: Int64 { Int64(lab.assumptions.predictionTolerance) * .minute }

    private mutating func consider(_ instant: Instant) {
        if instant > lab.now { nextChange = min(nextChange ?? instant, instant) }
    }
}

extension Prediction {
    fileprivate var rank: Int { PredictionVerdict.allCases.firstIndex(of: verdict) ?? 0 }

    fileprivate var kind: [String] { [app, latest.donation.intentClass ?? "", verdict.rawValue] }
}
