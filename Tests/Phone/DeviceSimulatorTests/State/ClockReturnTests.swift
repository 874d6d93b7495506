import APNs
import DeviceModel
import LiveModel
import SiriModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// A phone that has lived four years ahead, and whose clock then goes back.
@Suite(.timeLimit(.minutes(5))) struct ClockReturnTests {
    private static let ahead: Int64 = 4 * 365 * .day

    /// Monday, 2026-01-05T09:00:00Z for the phone, whose clock shows 2030-01-04.
    private func phone(
        _ edit: (inout DeviceConditions) -> Void = { _ in }, app: (inout App) -> Void = { _ in }
    ) throws -> Phone {
        let phone = Phone(edit, app: app)
        phone.wait(until: "09:00")
        phone.wait(.milliseconds(Self.ahead))
        try phone.act(.wake)
        return phone
    }

    private func goBack(_ phone: Phone) { phone.setBack(by: Self.ahead) }

    @Test("it stays offline until its time, and a push to it is stored, not expired") func offline() throws {
        let phone = try phone()
        goBack(phone)
        let end = phone.now.advanced(by: 600_000)
        phone.change { ($0.isOnline, $0.offlineUntil) = (false, end) }
        #expect(!phone.state.conditions.value.isOnline)
        let push = phone.alert(expiration: .at(end.advanced(by: 60_000)))
        #expect(phone.state(of: push) == .stored(.offline))
        phone.wait(.seconds(600))
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("a Focus with an end is on until then") func focusUntil() throws {
        let phone = try phone { $0.focus.modes = [FocusTests.work()] }
        goBack(phone)
        phone.change { ($0.focus.active, $0.focus.until) = ("work", phone.now.advanced(by: 600_000)) }
        #expect(phone.state.conditions.value.focus.active == "work")
        phone.wait(.seconds(600))
        #expect(phone.state.conditions.value.focus.active == nil)
    }

    @Test(
        "Focus schedules follow the present time of day, unless the person chose otherwise", arguments: [false, true])
    func schedules(isChosen: Bool) throws {
        let phone = Phone()
        let hours = FocusSchedule.with {
            ($0.from, $0.to) = (WallTime(hour: 9, minute: 0), WallTime(hour: 17, minute: 0))
        }
        phone.change { $0.focus.modes = [FocusTests.work { $0.schedule = [hours] }, Focus(id: "rest")] }
        phone.wait(.milliseconds(Self.ahead + 10 * .hour))
        #expect(phone.state.conditions.value.focus.active == "work")
        if isChosen { try phone.act(.switchFocus(id: "rest")) }
        phone.setBack(by: Self.ahead + 3 * .hour)
        #expect(phone.state.conditions.value.focus.active == (isChosen ? "rest" : nil), "it is seven")
        phone.wait(until: "09:00")
        #expect(phone.state.conditions.value.focus.active == "work")
        #expect(phone.events(.focusStarted).last?.at == .at(9 * .hour))
    }

    @Test("B.4 a day has the Focus and the outage that go on after the clock went back") func day() throws {
        let phone = try phone()
        phone.change { $0.startWork() }
        phone.change { $0.isOnline = false }
        phone.wait(.seconds(3600))
        goBack(phone)
        let start = phone.now
        phone.wait(.seconds(1800))
        for isOver in [false, true] {
            if isOver { phone.change { ($0.isOnline, $0.focus.active) = (true, nil) } }
            let day = try #require(phone.simulator.day(nil, of: Phone.name, now: phone.now))
            #expect(day.focus.map(\.range) == [start..<phone.now])
            #expect(day.outages.map(\.range) == [start..<phone.now])
        }
        let future = try #require(phone.simulator.day(LocalDate(text: "2030-01-04"), of: Phone.name, now: phone.now))
        let hour = start.advanced(by: Self.ahead - .hour)..<start.advanced(by: Self.ahead)
        #expect(future.focus.map(\.range) == [hour] && future.outages.map(\.range) == [hour])
        // Again, and for an hour only.
        phone.change { $0.focus.active = "work" }
        phone.wait(.seconds(3600))
        phone.setBack(by: .hour - 60_000)
        phone.wait(.seconds(60))
        let again = try #require(phone.simulator.day(nil, of: Phone.name, now: phone.now))
        #expect(again.focus.map(\.range) == [start..<phone.now])
        #expect(
            try #require(phone.simulator.day(future.date, of: Phone.name, now: phone.now)).focus.map(\.range) == [hour])
    }

    @Test("B.4 a day after the clock went back twice, and nothing happened between") func idleReturns() throws {
        let phone = try phone { $0.startWork() }
        goBack(phone)
        for _ in 0..<2 {
            phone.wait(.seconds(3600))
            phone.setBack(by: .hour)
        }
        phone.change { $0.isOnline = false }
        let start = phone.now
        phone.wait(.seconds(1800))
        let day = try #require(phone.simulator.day(nil, of: Phone.name, now: phone.now))
        #expect(day.outages.map(\.range) == [start..<phone.now] && day.focus.last?.range.upperBound == phone.now)
        #expect(phone.state.clockReturns.count == 3 && Set(phone.state.clockReturns.map(\.lastEvent)).count < 3)
    }

    @Test("events have the present time, past ones keep theirs, and the future day still lists them")
    func dates() throws {
        let phone = try phone()
        let past = phone.events()
        goBack(phone)
        let push = phone.alert()
        #expect(phone.events(of: push).allSatisfy { $0.at == phone.now })
        #expect(Array(phone.events().prefix(past.count)) == past)
        #expect(past.last.map { $0.at > phone.now } == true)
        #expect(phone.events().map(\.number) == Array(1...phone.state.lastEvent))
        let day = try #require(phone.simulator.day(LocalDate(text: "2030-01-04"), of: Phone.name, now: phone.now))
        #expect(day.date.text == "2030-01-04")
    }

    @Test("background wake-ups count for an hour of the present") func budget() throws {
        let phone = try phone()
        while phone.state(of: phone.background()) == .delivered {}
        goBack(phone)
        #expect(phone.state(of: phone.background()) == .stored(.backgroundBudget))
        phone.wait(.seconds(3600))
        #expect(phone.state(of: phone.background()) == .delivered)
    }

    @Test("a deferred push comes with the next summary") func summary() throws {
        let phone = try phone {
            $0.summary.isEnabled = true
        } app: {
            $0.settings.scheduledDelivery = .enabled
        }
        let push = phone.alert()
        goBack(phone)
        phone.alert()
        #expect(phone.nextSummary.count == 2)
        phone.wait(until: "18:00")
        #expect(phone.nextSummary.isEmpty && phone.lockScreen.contains(push))
        #expect(phone.events(.summaryDelivered).map(\.at) == [.at(18 * .hour)])
    }

    @Test("timers go on, and dates are found again") func local() throws {
        let phone = try phone()
        try phone.schedule("tea", in: 60, repeats: true)
        try phone.schedule("egg", in: 300)
        try phone.schedule("Stand up", .calendar(.with { $0.hour = 10 }, repeats: true))
        phone.wait(.seconds(60))
        phone.setBack(by: Self.ahead + 60_000)
        let before = phone.inbox.count
        phone.wait(.seconds(59))
        #expect(phone.inbox.count == before)
        phone.wait(.seconds(1))
        #expect(phone.inbox.count == before + 1)
        phone.wait(.seconds(180))
        #expect(phone.inbox.map(\.decoded.content.body).suffix(2).contains("egg"))
        phone.wait(until: "10:00")
        #expect(phone.inbox.count { $0.decoded.content.body == "Stand up" } == 1)
    }

    @Test("a timer goes on even if nothing has happened on the device for long") func quiet() throws {
        let phone = Phone()
        try phone.schedule("egg", in: 20 * 86_400)
        phone.wait(.milliseconds(14 * .day))
        phone.setBack(by: 14 * .day)
        phone.wait(.milliseconds(6 * .day - 1))
        #expect(phone.inbox.isEmpty)
        phone.wait(.milliseconds(1))
        #expect(phone.inbox.count == 1)
    }

    @Test("pushes of the future are evicted by their age, and those after them", arguments: [false, true])
    func retention(isRestarted: Bool) throws {
        let phone = try phone()
        phone.alert("future")
        phone.setBack(by: Self.ahead)
        var limits = InboxLimits()
        limits.retention = .hour
        phone.alert("present")
        var simulator = phone.simulator
        if isRestarted {
            simulator = DeviceSimulator(deriveToken: phone.simulator.deriveToken)
            try simulator.load(phone.simulator.snapshot())
        }
        simulator.store.withLock { $0.set(up: limits, $0.catalog.assumptions) }
        simulator.advance(to: phone.now.advanced(by: .hour))
        #expect(simulator.counters.notifications == 2)
        simulator.advance(to: phone.now.advanced(by: .hour + 1))
        #expect(simulator.counters.notifications == 0)
    }

    @Test("a region's crossing goes on") func region() throws {
        let phone = try phone()
        let home = Region.with { ($0.identifier, $0.notifyOnEntry, $0.radius) = ("home", true, 100) }
        try phone.schedule("home", .location(home, repeats: false))
        try phone.local(.move(to: .with { $0.regions = ["home"] }))
        let dwell = phone.simulator.assumptions.localDwell
        goBack(phone)
        #expect(phone.inbox.isEmpty)
        phone.wait(.milliseconds(dwell))
        #expect(phone.inbox.count == 1)
    }

    @Test("a call rings no longer than it would have, and is repeated only within the window") func calls() throws {
        let phone = try phone(app: { $0.declareVoIP() })
        _ = phone.voip()
        #expect(phone.state.live.services[Phone.chat].settings.call == .ringing)
        goBack(phone)
        phone.wait(.seconds(60))
        #expect(phone.state.live.services[Phone.chat].settings.call == .none)
    }

    @Test("a handler that does not return is killed in time") func handlers() throws {
        let phone = try phone()
        try phone.reply { replies in replies.background = .timeout }
        phone.background()
        goBack(phone)
        phone.wait(.seconds(60))
        #expect(phone.events(.appKilled).count == 1)
    }

    @Test("an App Clip's permission ends") func appClip() throws {
        let phone = try phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        goBack(phone)
        phone.wait(.milliseconds(phone.simulator.assumptions.ephemeralLifetime))
        #expect(phone.events(.settingsChanged).last?.text("reason") == "ephemeralEnded")
    }

    private func start(_ phone: Phone, stale: Int64? = nil) throws -> LiveActivity {
        try phone.startActivity { ($0.push, $0.staleDate) = (.token, stale.map(phone.now.advanced(by:))) }
        return try #require(phone.state.live.activities.activities.last)
    }

    @Test("a running activity accepts a present update and ends after eight hours") func activity() throws {
        let phone = try phone()
        let activity = try start(phone)
        let token = try #require(phone.state.live.activities.activities.last?.push.token)
        phone.wait(.seconds(3600))
        phone.setBack(by: Self.ahead + .hour)
        let registration = try #require(phone.simulator.registration(of: token))
        let payload = #"{"aps":{"event":"update","timestamp":\#(phone.now.milliseconds / 1000),"content-state":{}}}"#
        #expect(phone.state(of: phone.push(payload, to: registration, type: .liveactivity)) == .delivered)
        phone.wait(.seconds(6 * 3600))
        #expect(phone.state.live.activities[activity.id]?.state == .active)
        phone.wait(.seconds(2 * 3600))
        #expect(phone.state.live.activities[activity.id]?.state == .ended)
        phone.wait(.seconds(4 * 3600))
        #expect(phone.state.live.activities[activity.id]?.state == .dismissed)
    }

    @Test("a new activity is not stale, and an ended one goes") func newActivity() throws {
        let phone = try phone()
        let old = try start(phone)
        try phone.perform(.activity(.end(old.id, ActivityEnd())))
        goBack(phone)
        let new = try start(phone, stale: 600_000)
        #expect(new.state == .active)
        phone.wait(.seconds(600))
        #expect(phone.state.live.activities[new.id]?.state == .stale)
        phone.wait(.seconds(4 * 3600))
        #expect(phone.state.live.activities[old.id]?.state == .dismissed)
    }

    @Test("a change of a reservation reaches the person's other device") func reservation() throws {
        let phone = try phone { $0.person = "maria" }
        phone.add("Tablet") { $0.person = "maria" }
        let dinner = phone.now.advanced(by: 5 * .day)
        func book(_ status: ReservationStatus) throws {
            try phone.book {
                ($0.status, $0.reservationNumber) = (status, "R1")
                $0.duration?.start = LocalTime(dinner, in: "Asia/Tokyo")
            }
        }
        try book(.confirmed)
        goBack(phone)
        try book(.canceled)
        #expect(phone.simulator.siri(of: "Tablet").calendar.items.map(\.reservation.status) == [.canceled])
    }

    @Test("who waits for an event is woken") func waits() async throws {
        let phone = Phone()
        phone.change { $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }] }
        phone.wait(.milliseconds(14 * .day + 10 * .hour))
        #expect(phone.state.conditions.value.focus.active == "work")
        let query = EventQuery(device: Phone.name, kinds: [.focusEnded], since: phone.state.lastEvent)
        let simulator = phone.simulator
        let wait = Task { await simulator.waitForEvents(query, count: 1, timeout: .seconds(60)) }
        while simulator.counters.waits == 0 { await Task.yield() }
        phone.setBack(by: 14 * .day + 10 * .hour)
        #expect(await wait.value.outcome == .matched)
    }

    @Test("several devices go back, and only those that were ahead") func several() throws {
        let phone = try phone()
        phone.add("Tablet")
        try phone.simulator.perform(.wake, on: "Tablet", at: phone.now)
        goBack(phone)
        #expect(!phone.simulator.isAhead(of: phone.now))
        for name in [Phone.name, "Tablet"] {
            try phone.simulator.perform(.lock, on: name, at: phone.now)
            #expect(phone.simulator.events(EventQuery(device: name, limit: .max)).items.last?.at == phone.now)
        }
    }

    @Test("the journal replays it", arguments: 0..<UInt64(30)) func isReplayed(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 10)
        kept.phone.wait(.milliseconds(Self.ahead))
        kept.live(steps: 20)
        kept.phone.setBack(by: Self.ahead)
        try kept.expectSameAgain("seed \(seed), right after")
        kept.live(steps: 20)
        try kept.expectSameAgain("seed \(seed), later")
    }

    @Test("random histories go on as ever", arguments: 0..<UInt64(60)) func histories(_ seed: UInt64) {
        var generator = HistoryGenerator(seed: seed)
        let phone = generator.phone()
        for step in 0..<10 {
            phone.take(generator.step(on: phone))
            if step == 5 { phone.wait(.milliseconds(Self.ahead)) }
        }
        phone.setBack(by: Self.ahead)
        for number in 1...30 {
            let step = generator.step(on: phone)
            let before = phone.state
            phone.take(step)
            let problems = Invariants(before: before, phone: phone, step: step).problems()
            #expect(problems == [], "seed \(seed), step \(number): \(step)")
            guard problems.isEmpty else { return }
        }
        #expect(phone.state.lastEventAt <= phone.now)
    }
}

extension ActivityTable {
    subscript(_ id: String) -> LiveActivity? { activities.first { $0.id == id } }
}
