import APNs
import DeviceModel
import Fields
import JSON
import LiveModel
import TestSupport
import Testing
import Time

/// The vectors L-1 to L-26 and L-31 of live.md, on the model; L-2, L-4, L-11 and L-18 are rows of `ActivityRuleTests`.
@Suite struct VectorTests {
    @Test("L-1 a start creates an activity, wakes the app and issues a token") func l1() throws {
        var phone = try Phone()
        #expect(phone.start().reason == nil)
        #expect(phone.first.state == .active)
        #expect(phone.kinds == [.activityStarted, .appLaunch, .activityAlert, .tokenIssued])
        #expect(phone.details(of: .activityAlert)?["lit"] == .bool(true))
        #expect(phone.details(of: .activityAlert)?["sound"] == .string("default"))
        #expect(phone.details(of: .tokenIssued)?["activity"] == .string(phone.first.id))
        let card = try #require(phone.table.surfaces(phone.context).lockScreen.first)
        #expect(card.title == "Order 7")
        #expect(card.lines == ["Step 1", "At 2027-01-15 08:00"])
    }

    @Test("L-3 a type with different capitalization") func l3() throws {
        var phone = try Phone()
        let decision = phone.start(type: "delivery")
        #expect(decision.reason == .unknownAttributesType)
        #expect(decision.nearestType == "Delivery")
    }

    @Test("L-5 the token waits for consent") func l5() throws {
        var phone = try Phone(setting: .undecided)
        phone.start()
        #expect(phone.first.state == .active)
        #expect(phone.first.push.consentPending && phone.first.push.token == nil)
        #expect(phone.kinds.contains(.consentAsked) && !phone.kinds.contains(.tokenIssued))
        try phone.act(.answer(app: Phone.app, .allow))
        #expect(phone.kinds.suffix(2) == [.consentGiven, .tokenIssued])
        #expect(phone.first.push.token != nil && phone.table.settings(of: Phone.app).setting == .allowed)
    }

    @Test("L-6 the person refuses") func l6() throws {
        var phone = try Phone(setting: .undecided)
        phone.start()
        try phone.act(.answer(app: Phone.app, .deny))
        #expect(phone.first.state == .dismissed)
        #expect(phone.start(at: 1).reason == .denied)
    }

    @Test("L-7 an update without an alert") func l7() throws {
        var phone = try Phone.started()
        phone.events = []
        phone.advance(to: 60)
        #expect(phone.update(at: 60).reason == nil)
        #expect(phone.step == .integer(2))
        #expect(phone.kinds == [.activityUpdated])
    }

    @Test("L-8 an update with an alert") func l8() throws {
        var phone = try Phone.started()
        phone.unlock(in: "com.other")
        let decision = phone.update(at: 60, more: #","alert":{"title":"Close","body":"Now","sound":"ping.caf"}"#)
        let alert = try #require(decision.alert)
        #expect(alert.lit && alert.sound == "ping.caf" && alert.presentation == .expanded)
        phone.device.hasDynamicIsland = false
        let second = phone.update(at: 61, more: #","alert":{"title":"Close"}"#)
        #expect(second.alert?.presentation == .banner && second.alert?.sound == "default")
        phone.unlock(in: Phone.app)
        let third = phone.update(at: 62, more: #","alert":{"title":"Close"}"#)
        #expect(third.alert?.presentation == AlertOutcome.Presentation.none)
    }

    @Test("L-9 an older update") func l9() throws {
        var phone = try Phone.started()
        phone.update(at: 60)
        #expect(phone.update(at: 30, state: #"{"eta":0,"step":9}"#).reason == .timestampOlder)
        #expect(phone.step == .integer(2))
        #expect(phone.first.log.last?.reason == .timestampOlder)
    }

    @Test("L-10 equal timestamps") func l10() throws {
        var phone = try Phone.started()
        phone.update(at: 60)
        #expect(phone.update(at: 60, state: #"{"eta":0,"step":3}"#).reason == nil)
        #expect(phone.step == .integer(3))
    }

    @Test("L-12 a member is missing") func l12() throws {
        var phone = try Phone.started()
        let decision = phone.update(at: 60, state: #"{"step":2}"#)
        #expect(decision.reason == .contentDecodeFailed)
        #expect(decision.failure?.path == "content-state.eta")
        #expect(phone.step == .integer(1))
        #expect(decision.notes.contains { $0.id == "la.state.decode" })
    }

    @Test("L-13 Unix seconds as a Date") func l13() throws {
        var phone = try Phone.started()
        let decision = phone.update(at: 60, state: #"{"eta":1800003600,"step":2}"#)
        #expect(decision.reason == nil)
        #expect(decision.notes.contains { $0.id == "la.state.date1970" && $0.detail.contains("2058-01-15") })
        #expect(phone.table.surfaces(phone.context).lockScreen[0].lines[1].hasPrefix("At 2058-01-15"))
    }

    @Test("L-14 stale and fresh again") func l14() throws {
        var phone = try Phone.started()
        phone.update(at: 60, more: #","stale-date":1800000120"#)
        phone.advance(to: 120)
        #expect(phone.first.state == .stale)
        #expect(phone.kinds.last == .activityStale)
        phone.update(at: 121)
        #expect(phone.first.state == .active)
    }

    @Test("L-15 an end without a dismissal date") func l15() throws {
        var phone = try Phone.started()
        phone.advance(to: 100)
        phone.update(at: 100, "end")
        #expect(phone.first.state == .ended)
        #expect(phone.table.surfaces(phone.context).island.compact == nil)
        #expect(phone.table.surfaces(phone.context).lockScreen.count == 1)
        #expect(phone.requests.last == .retire(phone.first.use, .expired(since: phone.now)))
        phone.advance(to: 100 + 4 * 3600 - 1)
        #expect(phone.first.state == .ended)
        phone.advance(to: 100 + 4 * 3600)
        #expect(phone.first.state == .dismissed)
    }

    @Test("L-16 a dismissal date in the past") func l16() throws {
        var phone = try Phone.started()
        phone.update(at: 100, "end", more: #","dismissal-date":1799999999"#)
        #expect(phone.first.state == .dismissed)
        #expect(phone.kinds.suffix(2) == [.activityEnded, .activityDismissed])
    }

    @Test("L-17 a dismissal date beyond the limit") func l17() throws {
        var phone = try Phone.started()
        let decision = phone.update(at: 0, "end", more: #","dismissal-date":1800036000"#)
        #expect(decision.notes.contains { $0.id == "la.dismissal.cap" })
        phone.advance(to: 4 * 3600)
        #expect(phone.first.state == .dismissed)
    }

    @Test("L-19 an update after the end") func l19() throws {
        var phone = try Phone()
        phone.assumptions.tokenAfterEnd = .dropped
        phone.start()
        phone.update(at: 10, "end")
        #expect(!phone.requests.contains { if case .retire = $0 { true } else { false } })
        #expect(phone.update(at: 20).reason == .activityEnded)
    }

    @Test("L-20 eight hours") func l20() throws {
        var phone = try Phone.started()
        phone.advance(to: 8 * 3600)
        #expect(phone.first.state == .ended)
        #expect(phone.requests.last == .retire(phone.first.use, .expired(since: phone.now)))
        phone.advance(to: 12 * 3600)
        #expect(phone.first.state == .dismissed)
    }

    @Test("L-21 the person swipes it away") func l21() throws {
        var phone = try Phone.started()
        phone.advance(to: 5)
        try phone.act(.dismiss(phone.first.id))
        #expect(phone.first.state == .dismissed)
        #expect(phone.requests.last == .retire(phone.first.use, .expired(since: phone.now)))
        #expect(phone.update(at: 6).reason == .activityEnded)
    }

    @Test("L-22 the switch for frequent updates") func l22() throws {
        var phone = try Phone()
        for _ in 0..<3 { phone.start() }
        try phone.act(.settings(app: Phone.app, .with { $0.frequentEnabled = false }))
        #expect(phone.table.activities.map(\.state) == [.ended, .ended, .ended])
    }

    @Test("L-23 the sixth activity") func l23() throws {
        var phone = try Phone()
        for _ in 0..<5 { phone.start() }
        #expect(phone.start().reason == .limitApp)
        phone.unlock(in: Phone.app)
        #expect { try phone.act(.start(Phone.appStart())) } throws: { error in
            (error as? DeviceError)?.message.contains("targetMaximumExceeded") == true
        }
    }

    @Test("L-24 relevance") func l24() throws {
        var phone = try Phone()
        phone.start(more: #","relevance-score":50"#)
        phone.start(more: #","relevance-score":100"#)
        let (a, b) = (phone.first.id, phone.table.activities[1].id)
        #expect(phone.table.surfaces(phone.context).lockScreen.map(\.activity) == [b, a])
        #expect(phone.table.surfaces(phone.context).island.compact?.activity == b)
        phone.update(at: 1, of: b)
        #expect(phone.table.surfaces(phone.context).island.compact?.activity == a)
        #expect(phone.table.surfaces(phone.context).lockScreen.map(\.activity) == [a, b])
    }

    @Test("L-25 a Focus silences the alert only") func l25() throws {
        var phone = try Phone.started()
        try phone.device.apply(["focus": ["modes": .array([["id": .string("work")]]), "active": .string("work")]])
        let decision = phone.update(at: 60, more: #","alert":{"title":"Close","body":"Now","sound":"default"}"#)
        #expect(phone.step == .integer(2))
        let alert = try #require(decision.alert)
        #expect(!alert.lit && alert.sound == nil && alert.presentation == .none && alert.suppressedBy == "focus")
    }

    @Test("L-26 the token belongs to the topic with the suffix") func l26() throws {
        #expect(try Phone.started().first.use.topic == "com.ex.app.push-type.liveactivity")
    }

    @Test("L-31 a scheduled start counts, and alerts when it starts") func l31() throws {
        var phone = try Phone()
        for _ in 0..<4 { phone.start() }
        phone.unlock(in: Phone.app)
        var start = Phone.appStart { $0.startsAt = Instant(seconds: Phone.t0 + 600) }
        #expect(throws: DeviceError.self) { try phone.act(.start(start)) }
        start.alert = .with { $0.title = "Soon" }
        try phone.act(.start(start))
        #expect(phone.table.activities[4].state == .pending)
        #expect(phone.start().reason == .limitApp)
        phone.device.isLocked = true
        phone.advance(to: 600)
        #expect(phone.table.activities[4].state == .active)
        #expect(phone.kinds.suffix(2) == [.activityStarted, .activityAlert])
    }
}
