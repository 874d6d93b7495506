internal import APNs
package import DeviceModel
internal import JSON
internal import Synchronization
package import Time

extension DeviceSimulator {
    /// Bounds a day's pushes; the newest count.
    package static let longestDay = 10_000

    /// A device's day, from its log and inbox; nil when it does not exist.
    ///
    /// - Parameters:
    ///   - date: nil for the device's today.
    ///   - limit: Of pushes.
    package func day(
        _ date: LocalDate?, of device: String, now: Instant, limit: Int = longestDay
    ) -> DeviceDay? {
        guard let record = store.withLock({ $0.devices[device].map(DayRecord.init) }) else { return nil }
        let conditions = record.conditions
        guard let calendar = conditions.calendar ?? LocalCalendar(timeZone: "UTC") else { return nil }
        var day = DeviceDay(
            device: device, date: date ?? LocalDate(day: calendar.day(at: now)), timeZone: conditions.timeZone,
            calendar: calendar, now: now)
        let modes = Dictionary(conditions.focus.modes.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        day.focus = record.focus.periods(in: day.range, of: record.spans(of: day)).map { id, range in
            DeviceDay.FocusPeriod(id: id, name: modes[id]?.shownName ?? id, range: range)
        }
        day.outages = record.outages.periods(in: day.range, of: record.spans(of: day)).map {
            DeviceDay.Outage(kind: $0.value, range: $0.range)
        }
        day.summaries = record.summaries(in: day, after: now)
        day.hasGap = record.lostUntil.map { $0 > day.range.lowerBound } ?? false
        gatherPushes(of: &day, limit: limit)
        return day
    }

    private func gatherPushes(of day: inout DeviceDay, limit: Int) {
        var notifications: [Notification] = []
        var query = NotificationQuery(device: day.device, limit: 2000)
        while true {
            let page = self.notifications(query)
            notifications += page.items.filter { $0.isPart(of: day) }
            if query.since == 0, page.hasGap {
                let oldest = page.items.first?.push.receivedAt ?? .never
                day.hasGap = day.hasGap || oldest > day.range.lowerBound
            }
            guard page.hasMore else { break }
            query.since = page.next
        }
        day.omittedCount = max(0, notifications.count - limit)
        let lanes = notifications.suffix(limit).grouped(by: \.context.app.bundleID)
        day.lanes = lanes.map { pushes in
            DeviceDay.Lane(
                app: pushes[0].context.app.bundleID, name: pushes[pushes.count - 1].context.app.displayName,
                pushes: pushes.map(\.ofDay))
        }
        day.lanes.sort { ($1.pushes.count, $0.name, $0.app) < ($0.pushes.count, $1.name, $1.app) }
    }
}

/// The state of a device that its day depends on, besides notifications; copied under the lock.
private struct DayRecord {
    let createdAt: Instant
    let conditions: DeviceConditions
    private let clockReturns: [DeviceState.PastClockReturn]
    private let log: EventLog

    init(_ device: Device) {
        createdAt = device.createdAt
        conditions = device.state.conditions.value
        clockReturns = device.state.clockReturns
        log = device.state.eventLog
    }

    /// Events with ascending dates, and the part of the day that they decide: a span begins when the clock goes back. A date
    /// belongs to the latest span that reached it; what the device was ahead counts on days after now only.
    func spans(of day: DeviceDay) -> [(events: Range<UInt64>, dates: Range<Instant>)] {
        (0...clockReturns.count).map { index in
            let begin = index == 0 ? nil : clockReturns[index - 1]
            let later = clockReturns[index...]
            // Nothing may have happened in a span.
            let first = begin.map { $0.lastEvent &+ 1 } ?? 0
            let next = later.first.map { $0.lastEvent &+ 1 } ?? .max
            var (start, end) = (begin?.to ?? createdAt, later.first?.from ?? day.now)
            if day.range.lowerBound > day.now {
                start = later.dropFirst().map(\.from).reduce(max(start, day.now), max)
            } else {
                end = later.map(\.to).reduce(end, min)
            }
            return (first..<max(first, next), start..<max(start, end))
        }
    }

    /// The oldest entry's time, if older ones are lost.
    var lostUntil: Instant? { log.lastDropped > 0 ? log.entries.first?.at : nil }

    var focus: StateHistory<String> {
        var changes: [StateHistory<String>.Change] = []
        var first = conditions.focus.active
        for entry in log.entries {
            guard case .effect(let kind, _, _, let details) = entry.content,
                kind == .focusStarted || kind == .focusEnded, case .string(let focus) = details["focus"]
            else { continue }
            if changes.isEmpty { first = kind == .focusEnded ? focus : nil }
            changes.append((entry.number, entry.at, kind == .focusStarted ? focus : nil))
        }
        return StateHistory(first: first, changes: changes)
    }

    var outages: StateHistory<DeviceDay.Outage.Kind> {
        var changes: [StateHistory<DeviceDay.Outage.Kind>.Change] = []
        var first = conditions.outage
        for entry in log.entries {
            guard case .conditions(let conditions, let changed) = entry.content else { continue }
            let now = conditions.value
            if changes.isEmpty {
                // A logged flag has flipped.
                var before = now
                if changed.contains("isOnline") { before.isOnline.toggle() }
                if changed.contains("isPoweredOn") { before.isPoweredOn.toggle() }
                first = before.outage
            }
            changes.append((entry.number, entry.at, now.outage))
        }
        return StateHistory(first: first, changes: changes)
    }

    func summaries(in day: DeviceDay, after now: Instant) -> [DeviceDay.Summary] {
        var summaries: [DeviceDay.Summary] = []
        for entry in log.entries where day.range.contains(entry.at) {
            guard case .effect(.summaryDelivered, _, _, let details) = entry.content else { continue }
            summaries.append(DeviceDay.Summary(at: entry.at, notifications: details["notifications"]?.numbers ?? []))
        }
        var last = max(now, day.range.lowerBound.advanced(by: -1))
        while let next = conditions.summary.nextDelivery(after: last, calendar: day.calendar), day.range.contains(next)
        {
            summaries.append(DeviceDay.Summary(at: next))
            last = next
        }
        return summaries
    }
}

/// The values that something had one after the other, such as the active Focus; nil for none.
private struct StateHistory<Value: Equatable> {
    typealias Change = (event: UInt64, at: Instant, value: Value?)
    typealias Period = (value: Value, range: Range<Instant>)

    /// Before the first change.
    let first: Value?
    /// In order.
    let changes: [Change]

    /// The periods with a value, cut to a range.
    func periods(
        in range: Range<Instant>, of spans: [(events: Range<UInt64>, dates: Range<Instant>)]
    ) -> [Period] {
        spans.flatMap { span in
            let before = changes.last { $0.event < span.events.lowerBound }
            let part = StateHistory(
                first: before.map(\.value) ?? first, changes: changes.filter { span.events.contains($0.event) })
            return part.periods(in: range.clamped(to: span.dates))
        }.sorted { $0.range.lowerBound < $1.range.lowerBound }.reduce(into: []) { Self.join($1, to: &$0) }
    }

    private static func join(_ next: Period, to periods: inout [Period]) {
        if let last = periods.last, last.value == next.value, last.range.upperBound == next.range.lowerBound {
            periods[periods.count - 1].range = last.range.lowerBound..<next.range.upperBound
        } else {
            periods.append(next)
        }
    }

    private func periods(in range: Range<Instant>) -> [Period] {
        let starts = [(event: 0, at: range.lowerBound, value: first)] + changes
        let ends = changes.map(\.at) + [range.upperBound]
        var periods: [Period] = []
        for (start, end) in zip(starts, ends) {
            let from = max(start.at, range.lowerBound)
            let to = min(end, range.upperBound)
            if let value = start.value, from < to { Self.join((value, from..<to), to: &periods) }
        }
        return periods
    }
}

extension DeviceConditions {
    fileprivate var outage: DeviceDay.Outage.Kind? { !isPoweredOn ? .off : isOnline ? nil : .offline }
}

extension JSONValue {
    fileprivate var numbers: [UInt64] {
        guard case .array(let elements) = self else { return [] }
        return elements.compactMap { if case .integer(let number) = $0 { UInt64(exactly: number) } else { nil } }
    }
}

extension Notification {
    /// Whether it arrived on a day, or arrived before and was shown or still waited then.
    fileprivate func isPart(of day: DeviceDay) -> Bool {
        guard arrivedAt < day.range.upperBound else { return false }
        let end = shownAt ?? (state.isWaiting || places.contains(.nextSummary) ? max(day.now, settledAt) : settledAt)
        return max(arrivedAt, end) >= day.range.lowerBound
    }

    /// Not after its outcome, even if the clock went back while it waited.
    private var arrivedAt: Instant { min(push.receivedAt, settledAt) }

    fileprivate var ofDay: DeviceDay.Push {
        let content = content.localized(in: context)
        let sender = outcome?.isCommunication == true ? content.communication?.sender.shownName ?? "" : ""
        let texts = [sender, content.title, content.body, kind.name]
        var push = DeviceDay.Push(
            notification: sequence,
            text: String((texts.first { !$0.isEmpty } ?? "").prefix(DeviceDay.Push.longestText)),
            level: outcome?.level, outcome: pushOutcome, receivedAt: arrivedAt,
            settledAt: settledAt, shownAt: shownAt)
        if let run = extensionRecord?.run {
            push.extension = DeviceDay.ExtensionPeriod(
                range: run.startedAt..<max(run.startedAt, run.endedAt), end: run.end)
        }
        return push
    }
}
