import APNs
import DeviceModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// A device's day, gathered from its log and inbox.
@Suite struct DayTests {
    /// `Instant.at(0)` is midnight of this Monday.
    static let monday = LocalDate(text: "2026-01-05")!

    private func day(_ phone: Phone, _ date: LocalDate? = monday) throws -> DeviceDay {
        try #require(phone.simulator.day(date, of: Phone.name, now: phone.now))
    }

    private func hours(_ range: Range<Instant>) -> [Double] {
        [range.lowerBound, range.upperBound].map { Double($0.milliseconds(since: .at(0))) / Double(Int64.hour) }
    }

    private func pushes(_ day: DeviceDay) -> [DeviceDay.Push] { day.lanes.flatMap(\.pushes) }

    @Test func anEmptyDayHasNothing() throws {
        let phone = Phone()
        phone.wait(until: "12:00")
        let day = try day(phone, nil)
        #expect(day.date == Self.monday && day.timeZone == "UTC")
        #expect(hours(day.range) == [0, 24])
        #expect(day.lanes.isEmpty && day.focus.isEmpty && day.outages.isEmpty && day.summaries.isEmpty)
        #expect(!day.hasGap && day.omittedCount == 0)
        #expect(phone.simulator.day(nil, of: "nobody", now: phone.now) == nil)
    }

    @Test("a day shows a Focus from its start to its end, or to now while it is on") func focus() throws {
        let phone = Phone()
        phone.change {
            let sleep = Focus.with { ($0.id, $0.name) = ("sleep", "Sleep") }
            $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }, sleep]
            $0.focus.active = "sleep"
        }
        phone.wait(until: "07:00")
        try phone.act(.switchFocus(id: nil))
        phone.wait(until: "20:00")
        try phone.act(.switchFocus(id: "sleep"))
        phone.wait(until: "22:00")
        let periods = try day(phone).focus
        #expect(periods.map(\.name) == ["Sleep", "work", "Sleep"])
        #expect(periods.map { hours($0.range) } == [[0, 7], [9, 17], [20, 22]])
        phone.wait(until: "12:00", day: 2)
        #expect(try day(phone).focus.map { hours($0.range) } == [[0, 7], [9, 17], [20, 24]])
        #expect(try day(phone, LocalDate(text: "2026-01-06")).focus.map { hours($0.range) } == [[24, 33], [33, 41]])
    }

    @Test func anUnchangedFocusIsOnAllDay() throws {
        let phone = Phone { $0.startWork() }
        phone.wait(until: "06:00")
        #expect(try day(phone).focus.map { hours($0.range) } == [[0, 6]])
        #expect(try day(phone, LocalDate(text: "2026-01-04")).focus.isEmpty, "it did not exist yet")
        #expect(try day(phone, LocalDate(text: "2026-01-06")).focus.isEmpty, "that is not yet known")
    }

    @Test("the day shows when the device was off or offline") func outages() throws {
        let phone = Phone { $0.isOnline = false }
        phone.wait(until: "02:00")
        phone.change { $0.isOnline = true }
        phone.wait(until: "10:00")
        phone.change { $0.isOnline = false }
        phone.wait(until: "11:00")
        phone.change { $0.isPoweredOn = false }
        phone.wait(until: "12:00")
        phone.change { $0.showPreviews = .never }
        phone.wait(until: "13:00")
        phone.change { ($0.isOnline, $0.isPoweredOn) = (true, true) }
        phone.wait(until: "14:00")
        let outages = try day(phone).outages
        #expect(outages.map(\.kind) == [.offline, .offline, .off])
        #expect(outages.map { hours($0.range) } == [[0, 2], [10, 11], [11, 13]])
    }

    @Test func aDeliveredSummaryHasItsNotificationsAndTheNextHasNone() throws {
        let phone = Phone({ $0.summary.isEnabled = true }, app: { $0.settings.scheduledDelivery = .enabled })
        phone.wait(until: "07:00")
        let push = phone.alert("Morning")
        phone.wait(until: "12:00")
        let today = try day(phone)
        #expect(today.summaries == [.init(at: .at(8 * .hour), notifications: [push]), .init(at: .at(18 * .hour))])
        #expect(pushes(today).map(\.outcome) == [.deferred])
        #expect(pushes(today).map(\.endedAt) == [.at(8 * .hour)])
        #expect(pushes(today).map(\.settledAt) == [.at(7 * .hour)])
        #expect(
            try day(phone, LocalDate(text: "2026-01-06")).summaries.map(\.at) == [.at(32 * .hour), .at(42 * .hour)])
        #expect(try day(phone, LocalDate(text: "2026-01-04")).summaries.isEmpty)
    }

    @Test("a push is listed on the days it arrives, waits and is shown") func overMidnight() throws {
        let phone = Phone { $0.summary.isEnabled = true }
        phone.settings { $0.scheduledDelivery = .enabled }
        phone.wait(until: "23:00")
        let evening = phone.alert("Evening")
        let past = phone.alert("Past", app: "com.example.mail")
        phone.wait(until: "09:00", day: 1)
        #expect(try pushes(day(phone)).map(\.notification) == [evening, past])
        #expect(try pushes(day(phone, LocalDate(text: "2026-01-06"))).map(\.notification) == [evening])
        phone.change { $0.isOnline = false }
        let waiting = phone.alert("Waiting", app: "com.example.mail")
        phone.wait(until: "09:00", day: 2)
        let third = pushes(try day(phone, LocalDate(text: "2026-01-07")))
        #expect(third.map(\.notification) == [waiting])
        #expect(third.map(\.outcome) == [.waiting] && third.map(\.endedAt) == third.map(\.receivedAt))
    }

    @Test func theAppWithMostPushesComesFirst() throws {
        let phone = Phone()
        for (text, app) in [("1", "b.x"), ("2", "a.y"), ("3", "c.z"), ("4", "c.z")] { phone.alert(text, app: app) }
        let lanes = try day(phone).lanes
        #expect(lanes.map(\.app) == ["c.z", "b.x", "a.y"], "then by name")
        #expect(lanes[0].pushes.map(\.text) == ["3", "4"])
    }

    @Test("texts are shortened, and pushes without a text have their type") func texts() throws {
        let phone = Phone()
        phone.alert(String(repeating: "é", count: 500))
        phone.background()
        phone.push(#"{"aps":{"alert":{"title":"Title","body":"Body"}}}"#)
        #expect(try pushes(day(phone)).map(\.text) == [String(repeating: "é", count: 80), "background", "Title"])
        #expect(try pushes(day(phone)).map(\.level) == [.active, nil, .active])
    }

    @Test func anExtensionRunHasItsStartAndEnd() throws {
        let phone = Phone(app: { $0.extension = .stub })
        phone.wait(until: "10:00")
        let push = phone.alert("Sealed", #""mutable-content":1"#)
        #expect(try pushes(day(phone)).map(\.outcome) == [.waiting])
        let start = phone.now
        phone.wait(.seconds(20))
        phone.finishExtension(ExtensionRun(.crashed, startedAt: start, endedAt: phone.now), of: push)
        let found = try #require(pushes(try day(phone)).first)
        #expect(found.extension == .init(range: start..<phone.now, end: .crashed))
        #expect(found.outcome == .dropped && found.shownAt == nil, "the app filters, so a crash drops its push")
    }

    @Test(
        "days when summer time begins or ends have 23 or 25 hours",
        arguments: [("2026-03-29", 23), ("2026-10-25", 25), ("2026-06-01", 24)])
    func lengths(_ text: String, _ hours: Int64) throws {
        let phone = Phone { $0.timeZone = "Europe/Berlin" }
        let range = try day(phone, LocalDate(text: text)).range
        #expect(range.upperBound.milliseconds(since: range.lowerBound) == hours * .hour)
    }

    @Test func todayIsInTheDevicesTimeZone() throws {
        let phone = Phone { $0.timeZone = "Asia/Tokyo" }
        phone.wait(until: "20:00")
        #expect(try day(phone, nil).date.text == "2026-01-06")
    }

    @Test("a day after now is listed if the clock was set back") func logAhead() throws {
        let phone = Phone { $0.focus.modes = [FocusTests.work()] }
        phone.wait(until: "09:00", day: 1)
        try phone.act(.switchFocus(id: "work"))
        phone.wait(until: "15:00", day: 1)
        phone.alert()
        phone.setBack(by: 39 * .hour)
        let day = try #require(phone.simulator.day(LocalDate(text: "2026-01-06"), of: Phone.name, now: phone.now))
        #expect(day.focus.map { hours($0.range) } == [[33, 39]])
    }

    @Test("evicted events and notifications are a gap") func gap() throws {
        let phone = Phone()
        phone.alert()
        phone.simulator.store.withLock { $0.limits = InboxLimits(perDevice: 1) }
        phone.wait(until: "10:00")
        phone.alert()
        #expect(try day(phone).hasGap)
        #expect(try !day(phone, LocalDate(text: "2026-01-06")).hasGap)
        let busy = Phone()
        for _ in 0...EventLog.capacity { try busy.act(.wake) }
        busy.wait(until: "10:00")
        try busy.act(.wake)
        #expect(try !day(busy).hasGap, "the oldest entry is as old as the day")
        for _ in 0...EventLog.capacity { try busy.act(.wake) }
        #expect(try day(busy).hasGap)
    }

    @Test("beyond the limit, the newest pushes are listed and the others counted") func bounds() throws {
        let phone = Phone()
        for _ in 0..<12 { phone.alert() }
        let day = try #require(phone.simulator.day(nil, of: Phone.name, now: phone.now, limit: 7))
        #expect(pushes(day).map(\.notification) == Array(6...12))
        #expect(day.omittedCount == 5 && !day.hasGap)
    }

    @Test(
        "what a delivered push did decides whether it alerted",
        arguments: [
            (.now, .active, [.lockScreen, .notificationCenter, .screenLit], .alerted),
            (.now, .active, [.lockScreen], .alerted), (.now, .passive, [.lockScreen, .notificationCenter], .quiet),
            (.now, .passive, [.banner], .alerted), (.now, .active, [.notificationCenter], .quiet),
            (.now, .active, [.sound], .alerted), (.now, .active, [.haptic], .alerted),
            (.now, .active, [.badge], .other), (.now, .critical, [], .dropped),
            (.foreground, .active, [], .other), (.foreground, .active, [.notificationCenter], .other),
            (.foreground, .passive, [.banner], .alerted), (.foreground, .active, [.sound], .alerted),
            (.quiet, .active, [.notificationCenter], .quiet), (.silencedByFocus, .active, [], .quiet),
            (.deferredToSummary, .active, [], .deferred), (.notAllowed, .active, [], .dropped),
            (.nothingToShow, .active, [.sound], .other), (nil, .active, [], .other),
        ] as [(Timing?, InterruptionLevel, Presentation, PushOutcome)])
    func outcome(_ timing: Timing?, _ level: InterruptionLevel, _ presentation: Presentation, _ outcome: PushOutcome) {
        #expect(PushOutcome(.delivered, timing, level, presentation) == outcome)
        for state in [.accepted, .stored(.offline)] as [DeliveryState] {
            #expect(PushOutcome(state, timing, level, presentation) == .waiting)
        }
        #expect(PushOutcome(.discarded(.expired), timing, level, presentation) == .dropped)
    }

    @Test(arguments: ["2026-1-05", "2026-02-30", "", "2026-01-05T", "today", "2026-01-0５"])
    func rejectsInvalidDates(_ text: String) { #expect(LocalDate(text: text) == nil) }

    @Test(arguments: ["2026-01-05", "2024-02-29", "0001-01-01", "9999-12-31"])
    func aDateReadsBack(_ text: String) { #expect(LocalDate(text: text)?.text == text) }
}
