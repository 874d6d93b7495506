package import DeviceModel
internal import JSON
package import Time

/// Finds actions that the person repeats at about the same time (F.3) in the donations up to an instant.
package struct Predictor {
    /// One for each key, those suggested first.
    package private(set) var predictions: [Prediction] = []
    /// When the predictions change if nothing else happens; nil for never.
    package private(set) var nextChange: Instant?
    /// When time may change the result otherwise: a day begins, or a donation enters or leaves the window.
    package private(set) var validUntil: Instant
    /// When time next changes what is said about any prediction.
    private(set) var exactUntil: Instant

    private let now: Instant
    private let calendar: LocalCalendar
    private let today: Int64
    private let tomorrow: Instant
    /// Today; nil before.
    private let wokeAt: Instant?
    private let place: String?
    private let assumptions: Assumptions

    /// - Parameter handled: The suggestions that were run or dismissed today.
    package init?(
        _ store: DonationStore, wokeAt: Instant?, handled: (String) -> Bool = { _ in false }, _ context: DeviceContext
    ) {
        guard !store.entries.isEmpty, let calendar = context.device.calendar else { return nil }
        (now, self.calendar, assumptions, place) = (
            context.now, calendar, context.assumptions, context.place.regions.first
        )
        today = calendar.day(at: now)
        self.wokeAt = wokeAt.flatMap { [now, today] woke in
            woke <= now && calendar.day(at: woke) == today ? woke : nil
        }
        tomorrow = calendar.range(of: LocalDate(day: today)).upperBound
        validUntil = tomorrow
        if let wokeAt, wokeAt > now { validUntil = min(validUntil, wokeAt) }
        exactUntil = validUntil
        var groups: [Group] = []
        var indices: [Group.Name: Int] = [:]
        for (position, entry) in store.entries.enumerated() {
            if entry.at <= now {
                collect(entry, at: position, &groups, &indices)
            } else {
                validUntil = min(validUntil, entry.at)
            }
        }
        let apps = Dictionary(groups.map { ($0.name.app, $0.name.app) }) { first, _ in first }.mapValues(context.app)
        predictions = groups.map { group in
            let app = apps[group.name.app, default: context.app(group.name.app)]
            return predict(group, base(group, store.entries[group.latest], in: app, handled, context))
        }
        sort()
        if let nextChange { validUntil = min(validUntil, nextChange) }
    }

    // MARK: Samples

    private struct Sample {
        let day: Int64
        let minute: Int
        let sinceWake: Int?
        let place: String?

        func minute(from anchor: Pattern.Anchor) -> Int? { anchor == .waking ? sinceWake : minute }
    }

    private struct Group {
        /// The donations with one key, or those of an intent without a key.
        struct Name: Hashable {
            let app: String
            let text: String
        }

        let name: Name
        let key: DonationKey?
        /// A position in the store.
        var latest: Int
        var samples: [Sample] = []
    }

    private mutating func collect(
        _ entry: DonationEntry, at position: Int, _ groups: inout [Group], _ indices: inout [Group.Name: Int]
    ) {
        let leavesAt = entry.at.advanced(by: assumptions.predictionWindow &+ 1)
        let isRecent = now < leavesAt
        if isRecent { validUntil = min(validUntil, leavesAt) }
        let context = entry.context
        let sample =
            isRecent && entry.teaches
            ? Sample(
                day: context.day(near: entry.at), minute: context.minuteOfDay, sinceWake: context.sinceWake,
                place: context.place) : nil
        for key in entry.keys.isEmpty ? [nil] : entry.keys.map(Optional.some) {
            let name = Group.Name(app: entry.app, text: key?.text ?? entry.donation.intentClass ?? "")
            let index = indices[name] ?? groups.count
            if index == groups.count {
                indices[name] = index
                groups.append(Group(name: name, key: key, latest: position))
            }
            groups[index].latest = position
            if let sample { groups[index].samples.append(sample) }
        }
    }

    // MARK: Patterns

    private func base(
        _ group: Group, _ latest: DonationEntry, in app: App, _ handled: (String) -> Bool, _ context: DeviceContext
    ) -> Prediction {
        var base = Prediction(app: group.name.app, key: group.key, latest: latest)
        let name = latest.donation.intentClass
        base.facts.insert(.isReservation, if: name == ReservationDonation.intentClass)
        base.facts.insert(.isIneligible, if: !latest.isEligible(in: app))
        base.facts.insert(.hasNoKey, if: group.key == nil)
        base.facts.insert(.isIncoming, if: group.samples.isEmpty && latest.donation.direction == .incoming)
        base.facts.insert(.isHandled, if: handled(base.id))
        base.facts.insert(.isAlwaysShown, if: context.device.alwaysShowsSuggestions)
        return base
    }

    private mutating func predict(_ group: Group, _ base: Prediction) -> Prediction {
        // A donation may leave the window at midnight, which moves the median of the others.
        if Set(group.samples.map(\.day)).count >= assumptions.predictionDays { consider(tomorrow) }
        let places = place.map { [$0, nil] } ?? [nil]
        var best = base
        best.facts.insert(.hasFewDays)
        best.decide()
        for anchor in Pattern.Anchor.allCases {
            for place in places {
                guard let pattern = pattern(of: group, anchor, at: place) else { continue }
                let candidate = base.with(pattern, at: now, assumptions)
                for boundary in boundaries(of: pattern) where boundary > now {
                    exactUntil = min(exactUntil, boundary)
                    if !candidate.facts.contains(.hasFewDays) { consider(boundary) }
                }
                if best.pattern == nil || candidate.isBetter(than: best) { best = candidate }
            }
        }
        return best
    }

    private func pattern(of group: Group, _ anchor: Pattern.Anchor, at place: String?) -> Pattern? {
        let samples = distinct(group.samples.filter { place == nil || $0.place == place }, anchor)
        guard !samples.isEmpty else { return nil }
        let (median, days) = repetition(samples, anchor)
        guard let first = days.min(), let last = days.max() else { return nil }
        let span = dayCount(from: first, to: max(today, last), days)
        let specificity = 1 + assumptions.predictionSpecificity * Double(group.key?.parameters.count ?? 0)
        let next = occurrence(of: median, anchor)
        return Pattern(
            anchor: anchor, place: place, minute: median, hits: days.count, days: span,
            score: Double(days.count) / Double(span) * specificity,
            predictedAt: next?.at, isDone: days.contains(next?.day ?? today))
    }

    /// The median minute, and the days on which it was repeated. A time of day may be repeated before and after midnight.
    private func repetition(
        _ samples: [(day: Int64, minute: Int)], _ anchor: Pattern.Anchor
    ) -> (median: Int, days: Set<Int64>) {
        func median(_ minutes: [Int]) -> Int {
            let sorted = minutes.sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
        let minutes = samples.map(\.minute)
        let plain = median(minutes)
        guard anchor == .midnight else { return (plain, days(of: samples, around: plain, isCircular: false)) }
        let wrapped = median(minutes.map { $0 < 720 ? $0 + 1440 : $0 }) % 1440
        let (first, second) = (
            days(of: samples, around: plain, isCircular: true), days(of: samples, around: wrapped, isCircular: true)
        )
        return second.count > first.count ? (wrapped, second) : (plain, first)
    }

    /// Of a time shortly after midnight, 23:55 is the day before.
    private func days(
        of samples: [(day: Int64, minute: Int)], around median: Int, isCircular: Bool
    ) -> Set<Int64> {
        Set(
            samples.compactMap { sample -> Int64? in
                let distance = sample.minute - median
                let turn = isCircular && abs(distance) > 720 ? distance.signum() : 0
                return abs(distance - turn * 1440) <= assumptions.predictionBucket ? sample.day + Int64(turn) : nil
            })
    }

    /// When the person would repeat it: today, or on the day before or after if that is about now.
    private func occurrence(of minute: Int, _ anchor: Pattern.Anchor) -> (day: Int64, at: Instant)? {
        if anchor == .waking { return wokeAt.map { (today, $0.advanced(by: Int64(minute) &* .minute)) } }
        func distance(_ at: Instant) -> Int64 { abs(now.milliseconds(since: at)) }
        let all = occurrences(of: minute)
        let nearest = all.min { distance($0.at) < distance($1.at) }
        return nearest.flatMap { distance($0.at) <= tolerance ? $0 : nil } ?? all.first { $0.day == today }
    }

    /// The clock shows the same time of day even when it changes to or from daylight saving time.
    private func occurrences(of minute: Int) -> [(day: Int64, at: Instant)] {
        (today - 1...today + 1).map { day in
            (day, calendar.instant(of: WallTime(hour: minute / 60, minute: minute % 60), onDay: day))
        }
    }

    private var tolerance: Int64 { Int64(assumptions.predictionTolerance) * .minute }

    /// At most one sample a day and bucket.
    private func distinct(_ samples: [Sample], _ anchor: Pattern.Anchor) -> [(day: Int64, minute: Int)] {
        var found: [Int64: [Int]] = [:]
        for sample in samples {
            guard let minute = sample.minute(from: anchor) else { continue }
            let isRepeated = found[sample.day]?.contains { abs($0 - minute) <= assumptions.predictionBucket } ?? false
            if !isRepeated { found[sample.day, default: []].append(minute) }
        }
        return found.flatMap { day, minutes in minutes.map { (day, $0) } }
    }

    private func dayCount(from first: Int64, to last: Int64, _ hits: Set<Int64>) -> Int {
        func isWeekend(_ day: Int64) -> Bool { LocalDate(day: day).weekday.isWeekend }
        let isAlike = hits.allSatisfy { isWeekend($0) == isWeekend(today) }
        return (first...last).count { !isAlike || isWeekend($0) == isWeekend(today) }
    }

    // MARK: Time

    private mutating func consider(_ instant: Instant) {
        if instant > now { nextChange = min(nextChange ?? instant, instant) }
    }

    private func boundaries(of pattern: Pattern) -> [Instant] {
        let others = pattern.anchor == .midnight ? occurrences(of: pattern.minute).map(\.at) : []
        return ([pattern.predictedAt].compactMap(\.self) + others).flatMap {
            [$0.advanced(by: -tolerance), $0.advanced(by: tolerance + 1)]
        }
    }

    // MARK: Order

    /// By score, latest donation and key; among the keys of an intent, the most specific first (WWDC18 211).
    private mutating func sort() {
        predictions.sort { first, second in
            let ranks = (first.verdict.rank, second.verdict.rank)
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
            if first.score != second.score { return first.score > second.score }
            if first.latest.number != second.latest.number { return first.latest.number > second.latest.number }
            return first.id < second.id
        }
        let classes = Dictionary(grouping: predictions.indices) { index in
            let prediction = predictions[index]
            return [prediction.app, prediction.latest.donation.intentClass ?? "", prediction.verdict.rawValue]
        }
        for places in classes.values where places.count > 1 {
            let specific = places.map { predictions[$0] }.enumerated().sorted { first, second in
                let counts = (first.element.specificity, second.element.specificity)
                return counts.0 == counts.1 ? first.offset < second.offset : counts.0 > counts.1
            }
            for (place, prediction) in zip(places, specific) { predictions[place] = prediction.element }
        }
    }
}

extension Prediction {
    fileprivate var specificity: Int { key?.parameters.count ?? 0 }

    fileprivate func with(_ pattern: Pattern, at now: Instant, _ assumptions: Assumptions) -> Prediction {
        var candidate = self
        candidate.pattern = pattern
        candidate.facts.insert(.hasFewDays, if: pattern.hits < assumptions.predictionDays)
        candidate.facts.insert(.isIrregular, if: pattern.ratio < assumptions.predictionRatio)
        candidate.facts.insert(.isNotAwake, if: pattern.predictedAt == nil)
        candidate.facts.insert(.isDone, if: pattern.isDone)
        let distance = pattern.predictedAt.map { abs(now.milliseconds(since: $0)) } ?? 0
        candidate.facts.insert(.isEarlyOrLate, if: distance > Int64(assumptions.predictionTolerance) * .minute)
        candidate.decide()
        return candidate
    }

    fileprivate func isBetter(than other: Prediction) -> Bool {
        verdict.rank == other.verdict.rank ? score > other.score : verdict.rank < other.verdict.rank
    }
}

extension PredictionVerdict {
    /// Suggested ones first, impossible ones last.
    fileprivate var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension DonationEntry {
    fileprivate func isEligible(in app: App) -> Bool {
        let intent = donation.intent
        guard intent.intentClass == UserActivity.className else {
            return intent.intentClass.flatMap { app.intent($0) }?.eligibleForSuggestions ?? true
        }
        return intent["isEligibleForPrediction"] == .bool(true) && intent["isEligibleForSearch"] == .bool(true)
    }
}
