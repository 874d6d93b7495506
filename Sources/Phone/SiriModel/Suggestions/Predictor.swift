internal import DeviceModel
internal import Time

/// Judges at an instant which of the repeated actions the person wants now (F.3).
struct Predictor {
    let actions: RepeatedActions
    /// One for each key, those suggested first.
    private(set) var predictions: [Prediction] = []
    /// When the predictions change if nothing else happens; nil for never.
    private(set) var nextChange: Instant?
    /// When time next changes what is said about any prediction.
    private(set) var exactUntil: Instant

    private let now: Instant
    private let assumptions: Assumptions

    /// - Parameter actions: Valid now.
    init(_ actions: RepeatedActions, _ context: DeviceContext) {
        (self.actions, now, assumptions) = (actions, context.now, context.assumptions)
        exactUntil = actions.validity.upperBound
        predictions = actions.actions.map { predict($0) }
        sort()
    }

    /// When time may change the result.
    var validUntil: Instant { min(actions.validity.upperBound, nextChange ?? actions.validity.upperBound) }

    private mutating func predict(_ action: RepeatedActions.Action) -> Prediction {
        // A donation may leave the window at midnight, which moves the median of the others.
        if action.dayCount >= assumptions.predictionDays { consider(actions.tomorrow) }
        var best: Prediction?
        for repetition in action.repetitions {
            let times = repetition.anchor == .midnight ? times(of: repetition.minute) : []
            let pattern = pattern(repetition, times, specificity: action.base.specificity)
            let candidate = action.base.with(pattern, at: now, assumptions)
            for time in times.map(\.at) + [pattern.predictedAt].compactMap(\.self) {
                considerBoundaries(of: time, isExactOnly: candidate.facts.contains(.hasFewDays))
            }
            if best.map({ candidate.isBetter(than: $0) }) ?? true { best = candidate }
        }
        return best ?? action.base.withoutPattern
    }

    private func pattern(
        _ repetition: RepeatedActions.Repetition, _ times: [(day: Int64, at: Instant)], specificity: Int
    ) -> Pattern {
        let next = repetition.anchor == .midnight ? occurrence(in: times) : occurrence(afterWaking: repetition.minute)
        let weight = 1 + assumptions.predictionSpecificity * Double(specificity)
        return Pattern(
            anchor: repetition.anchor, place: repetition.place, minute: repetition.minute, hits: repetition.hits.count,
            days: repetition.span, score: Double(repetition.hits.count) / Double(repetition.span) * weight,
            predictedAt: next?.at, isDone: repetition.hits.contains(next?.day ?? actions.today))
    }

    // MARK: Time

    /// When the clock shows a time of day: the same even when it changes to or from daylight saving time.
    private func times(of minute: Int) -> [(day: Int64, at: Instant)] {
        actions.days.map { ($0.day, $0.instant(ofMinute: minute)) }
    }

    private func occurrence(afterWaking minute: Int) -> (day: Int64, at: Instant)? {
        actions.wokeAt.map { (actions.today, $0.advanced(by: Int64(minute) &* .minute)) }
    }

    /// When the person would repeat it: today, or on the day before or after if that is about now.
    private func occurrence(in times: [(day: Int64, at: Instant)]) -> (day: Int64, at: Instant)? {
        func distance(_ at: Instant) -> Int64 { abs(now.milliseconds(since: at)) }
        let nearest = times.min { distance($0.at) < distance($1.at) }
        return nearest.flatMap { distance($0.at) <= tolerance ? $0 : nil } ?? times.first { $0.day == actions.today }
    }

    private var tolerance: Int64 { Int64(assumptions.predictionTolerance) * .minute }

    private mutating func considerBoundaries(of time: Instant, isExactOnly: Bool) {
        for boundary in [time.advanced(by: -tolerance), time.advanced(by: tolerance + 1)] where boundary > now {
            exactUntil = min(exactUntil, boundary)
            if !isExactOnly { consider(boundary) }
        }
    }

    private mutating func consider(_ instant: Instant) {
        if instant > now { nextChange = min(nextChange ?? instant, instant) }
    }

    // MARK: Order

    /// By score, latest donation and key; among the keys of an intent, the most specific first (WWDC18 211).
    private mutating func sort() {
        let keys = predictions.map {
            (verdict: $0.verdict.rank, score: $0.score, number: $0.latest.number, id: $0.id)
        }
        let order = keys.indices.sorted { first, second in
            let (first, second) = (keys[first], keys[second])
            if first.verdict != second.verdict { return first.verdict < second.verdict }
            if first.score != second.score { return first.score > second.score }
            if first.number != second.number { return first.number > second.number }
            return first.id < second.id
        }
        predictions = order.map { predictions[$0] }
        let classes = Dictionary(grouping: predictions.indices) { index in
            let prediction = predictions[index]
            return [prediction.app, prediction.latest.donation.intentClass ?? "", prediction.verdict.rawValue]
        }
        for places in classes.values where places.count > 1 {
            let specificities = places.map { predictions[$0].specificity }
            guard Set(specificities).count > 1 else { continue }
            let specific = zip(specificities, places).sorted { $0.0 > $1.0 }.map { predictions[$0.1] }
            for (place, prediction) in zip(places, specific) { predictions[place] = prediction }
        }
    }
}

extension Prediction {
    fileprivate var specificity: Int { key?.parameters.count ?? 0 }

    fileprivate var withoutPattern: Prediction {
        var prediction = self
        prediction.facts.insert(.hasFewDays)
        prediction.decide()
        return prediction
    }

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
