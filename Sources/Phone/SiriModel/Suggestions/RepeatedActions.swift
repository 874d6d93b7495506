internal import DeviceModel
internal import JSON
internal import Time

/// What the person repeats according to the donations up to an instant (F.3). The same until a day begins, or a donation
/// enters or leaves the window.
struct RepeatedActions: Sendable {
    /// The donations with one key, or those of an intent without a key.
    struct Action: Sendable {
        /// Without a pattern.
        let base: Prediction
        let repetitions: [Repetition]
        /// Days with a donation in the window.
        let dayCount: Int
    }

    /// Donations of an action at about the same time of different days.
    struct Repetition: Sendable {
        let anchor: Pattern.Anchor
        /// Only donations at this place count; nil for all.
        let place: String?
        /// The median, counted from the anchor.
        let minute: Int
        /// The days with a donation near the median, in order.
        let hits: [Int64]
        /// From the first hit to today, as `Pattern.days`.
        let span: Int
    }

    let validity: Range<Instant>
    /// In the order of their first donations.
    private(set) var actions: [Action] = []
    /// Yesterday, today and tomorrow.
    let days: [LocalDay]
    let today: Int64
    let tomorrow: Instant
    /// Today; nil before.
    let wokeAt: Instant?
    private let bucket: Int

    /// - Parameter handled: The suggestions that were run or dismissed today.
    init?(_ store: DonationStore, wokeAt: Instant?, handled: (String) -> Bool, _ context: DeviceContext) {
        guard !store.entries.isEmpty, let calendar = context.device.calendar else { return nil }
        let now = context.now
        let today = calendar.day(at: now)
        self.today = today
        days = (today - 1...today + 1).map { LocalDay($0, in: calendar) }
        tomorrow = calendar.range(of: LocalDate(day: today)).upperBound
        self.wokeAt = wokeAt.flatMap { $0 <= now && calendar.day(at: $0) == today ? $0 : nil }
        bucket = context.assumptions.predictionBucket
        var groups = DonationGroups(store, context)
        var end = min(tomorrow, groups.nextChange ?? tomorrow)
        if let wokeAt, wokeAt > now { end = min(end, wokeAt) }
        validity = now..<max(now, end)
        groups.sort()
        let apps = Dictionary(groups.list.map { ($0.name.app, $0.name.app) }) { first, _ in first }
            .mapValues(context.app)
        let places = context.place.regions.first.map { [$0, nil] } ?? [nil]
        actions = groups.list.map { group in
            let app = apps[group.name.app] ?? context.app(group.name.app)
            return Action(
                base: group.base(store.entries[group.latest], in: app, handled, context),
                repetitions: Pattern.Anchor.allCases.flatMap { anchor in
                    places.compactMap { repetition(of: group, anchor, at: $0) }
                },
                dayCount: group.samples.map(\.day).distinct.count)
        }
    }

    /// When a donation was made, counted from an anchor.
    private struct Moment {
        let day: Int64
        let minute: Int
    }

    private func repetition(of group: DonationGroups.Group, _ anchor: Pattern.Anchor, at place: String?) -> Repetition?
    {
        let times = distinct(group.samples, anchor, at: place)
        guard !times.isEmpty else { return nil }
        let (median, hits) = median(of: times, anchor)
        guard let first = hits.first, let last = hits.last else { return nil }
        let span = dayCount(from: first, to: max(today, last), hits)
        return Repetition(anchor: anchor, place: place, minute: median, hits: hits, span: span)
    }

    /// At most one a day and bucket.
    private func distinct(_ samples: [DonationGroups.Sample], _ anchor: Pattern.Anchor, at place: String?) -> [Moment] {
        var times: [Moment] = []
        for sample in samples where place == nil || sample.place == place {
            guard let minute = sample.minute(from: anchor) else { continue }
            let ofDay = times.reversed().lazy.prefix { $0.day == sample.day }
            let isRepeated = ofDay.contains { abs($0.minute - minute) <= bucket }
            if !isRepeated { times.append(Moment(day: sample.day, minute: minute)) }
        }
        return times
    }

    /// The median minute, and the days on which it was repeated. A time of day may be repeated before and after midnight.
    private func median(of times: [Moment], _ anchor: Pattern.Anchor) -> (minute: Int, days: [Int64]) {
        func median(_ minutes: [Int]) -> Int {
            let sorted = minutes.sorted()
            return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        }
        let minutes = times.map(\.minute)
        let plain = median(minutes)
        guard anchor == .midnight else { return (plain, days(of: times, around: plain, isCircular: false)) }
        let wrapped = median(minutes.map { $0 < 720 ? $0 + 1440 : $0 }) % 1440
        let first = days(of: times, around: plain, isCircular: true)
        guard wrapped != plain else { return (plain, first) }
        let second = days(of: times, around: wrapped, isCircular: true)
        return second.count > first.count ? (wrapped, second) : (plain, first)
    }

    /// Of a time shortly after midnight, 23:55 is the day before.
    private func days(of times: [Moment], around median: Int, isCircular: Bool) -> [Int64] {
        times.compactMap { time in
            let distance = time.minute - median
            let turn = isCircular && abs(distance) > 720 ? distance.signum() : 0
            return abs(distance - turn * 1440) <= bucket ? time.day + Int64(turn) : nil
        }.sorted().distinct
    }

    /// If all hits are on weekdays, or all on weekends, and today is such a day, only such days count.
    private func dayCount(from first: Int64, to last: Int64, _ hits: [Int64]) -> Int {
        let isWeekend = LocalDate(day: today).weekday.isWeekend
        func isLikeToday(_ day: Int64) -> Bool { LocalDate(day: day).weekday.isWeekend == isWeekend }
        let count = Int(last - first) + 1
        guard hits.allSatisfy(isLikeToday) else { return count }
        return count / 7 * (isWeekend ? 2 : 5) + (first..<first + Int64(count % 7)).count(where: isLikeToday)
    }
}

/// The donations by key.
private struct DonationGroups {
    /// A donation in the window that teaches.
    struct Sample {
        let day: Int64
        let minute: Int
        let sinceWake: Int?
        let place: String?

        func minute(from anchor: Pattern.Anchor) -> Int? { anchor == .waking ? sinceWake : minute }
    }

    struct Name: Hashable {
        let app: String
        let text: String
    }

    struct Group {
        let name: Name
        let key: DonationKey?
        /// A position in the store.
        var latest: Int
        /// In order after `sort`: by day, and those of a day in their order.
        var samples: [Sample] = []
    }

    private(set) var list: [Group] = []
    private var indices: [Name: Int] = [:]
    /// When a donation enters or leaves the window.
    private(set) var nextChange: Instant?

    init(_ store: DonationStore, _ context: DeviceContext) {
        // A span: copying the entries would take most of the time.
        let entries = store.entries.span
        for position in entries.indices {
            if entries[position].at <= context.now {
                add(entries[position], at: position, context)
            } else {
                nextChange = Instant.earlier(nextChange, entries[position].at)
            }
        }
    }

    private mutating func add(_ entry: borrowing DonationEntry, at position: Int, _ context: DeviceContext) {
        let leavesAt = entry.at.advanced(by: context.assumptions.predictionWindow &+ 1)
        let isRecent = context.now < leavesAt
        if isRecent { nextChange = Instant.earlier(nextChange, leavesAt) }
        let origin = entry.context
        let sample =
            isRecent && entry.teaches
            ? Sample(
                day: origin.day(near: entry.at), minute: origin.minuteOfDay, sinceWake: origin.sinceWake,
                place: origin.place) : nil
        for key in entry.keys.isEmpty ? [nil] : entry.keys.map(Optional.some) {
            let name = Name(app: entry.app, text: key?.text ?? entry.donation.intentClass ?? "")
            let index = indices[name] ?? list.count
            if index == list.count {
                indices[name] = index
                list.append(Group(name: name, key: key, latest: position))
            }
            list[index].latest = position
            if let sample { list[index].samples.append(sample) }
        }
    }

    mutating func sort() {
        for index in list.indices { list[index].samples.sort { $0.day < $1.day } }
    }
}

extension DonationGroups.Group {
    fileprivate func base(
        _ latest: DonationEntry, in app: App, _ handled: (String) -> Bool, _ context: DeviceContext
    ) -> Prediction {
        var base = Prediction(app: name.app, key: key, latest: latest)
        base.facts.insert(.isReservation, if: latest.donation.intentClass == ReservationDonation.intentClass)
        base.facts.insert(.isIneligible, if: !latest.isEligible(in: app))
        base.facts.insert(.hasNoKey, if: key == nil)
        base.facts.insert(.isIncoming, if: samples.isEmpty && latest.donation.direction == .incoming)
        base.facts.insert(.isHandled, if: handled(base.id))
        base.facts.insert(.isAlwaysShown, if: context.device.alwaysShowsSuggestions)
        return base
    }
}

extension [Int64] {
    /// Each element of a sorted array once.
    fileprivate var distinct: [Int64] {
        reduce(into: []) { days, day in if days.last != day { days.append(day) } }
    }
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
