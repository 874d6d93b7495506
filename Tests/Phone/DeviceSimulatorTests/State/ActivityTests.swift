import APNs
import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Live Activity pushes through the simulator: tokens, states, explanations, journal.
@Suite struct ActivityTests {
    static let start =
        #"{"aps":{"event":"start","timestamp":1767571200,"attributes-type":"Ride","attributes":{},"#
        + #""content-state":{"step":1},"alert":{"title":"On its way","body":"Soon"}}}"#

    static func update(_ step: Int, _ event: String = "update") -> String {
        #"{"aps":{"event":"\#(event)","timestamp":1767571200,"content-state":{"step":\#(step)}}}"#
    }

    /// To the activity's own token.
    private func push(_ payload: String, to token: DeviceToken, on phone: Phone, _ number: UInt64) throws -> UInt64 {
        let registration = try #require(phone.simulator.registration(of: token))
        return phone.simulator.receive(
            .make(payload, to: registration, type: .liveactivity, id: 1000 + number, at: phone.now), for: registration)
    }

    @Test("L-1 L-15 T6 a start, an update and an end have their tokens and explanations") func lives() throws {
        let phone = Phone()
        try phone.allowActivities()
        let start = phone.pushStart()
        #expect(phone.state(of: start) == .delivered)
        let kinds = phone.events().map(\.kind)
        #expect(
            kinds.suffix(6) == [.received, .liveActivity, .activityStarted, .appLaunch, .activityAlert, .tokenIssued])
        let activity = try #require(phone.state.live.activities.activities.first)
        let token = try #require(activity.push.token)
        #expect(token.bytes.count == 80)
        let update = try push(Self.update(2), to: token, on: phone, 1)
        #expect(phone.state.live.activities.activities[0].content["step"] == .integer(2))
        #expect(phone.simulator.notification(update)?.reasons?.trace.last?.rule == "12")
        _ = try push(Self.update(3, "end"), to: token, on: phone, 2)
        #expect(phone.simulator.registration(of: token)?.status == .expired(since: phone.now))
        phone.wait(.seconds(4 * 3600))
        #expect(phone.events().last?.kind == .activityDismissed)
    }

    @Test("an alert shows in the outcome of its push, unless the Focus silences it") func outcomes() throws {
        for (focus, expected) in [(nil, PushOutcome.alerted), ("work", .quiet)] {
            let phone = Phone()
            try phone.allowActivities()
            _ = phone.change { conditions in
                (conditions.focus.modes, conditions.focus.active) = ([FocusTests.work()], focus)
            }
            let start = phone.pushStart()
            #expect(phone.simulator.notification(start)?.pushOutcome == expected)
            let token = try #require(phone.state.live.activities.activities.first?.push.token)
            let update = try push(Self.update(2), to: token, on: phone, 1)
            #expect(phone.simulator.notification(update)?.pushOutcome == .other)
        }
    }

    @Test("a dropped push is discarded with its reason, also in a restored state") func drops() throws {
        let phone = Phone()
        try phone.allowActivities()
        phone.pushStart()
        let token = try #require(phone.state.live.activities.activities[0].push.token)
        let old = #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#
        let number = try push(old, to: token, on: phone, 1)
        #expect(phone.state(of: number) == .discarded(.timestampOlder))
        #expect(phone.story(number) == [.received, .discarded, .activityPushDropped])
        let notification = try #require(phone.simulator.notification(number))
        let reasons = try #require(notification.reasons)
        #expect(reasons.trace[reasons.decidedBy].rule == "7")
        let copy = try phone.loadedElsewhere()
        #expect(copy.notification(number)?.reasons?.trace == reasons.trace)
        #expect(copy.notification(number)?.activity == notification.activity)
    }

    @Test("T7 a push to a former push-to-start token is accepted and does nothing") func staleStart() throws {
        let phone = Phone()
        let topic = Phone.chat + PushType.liveactivity.topicSuffix
        let former = phone.registration(topic, .pushtostart)
        try phone.perform(.activity(.issuePushToStart(app: Phone.chat, .sandbox)))
        #expect(phone.simulator.registration(of: former.token)?.status == .active)
        #expect(phone.events(.tokenIssued).last?.text("replaces") == former.token.hex)
        let number = phone.simulator.receive(
            .make(Self.start, to: former, type: .liveactivity, at: phone.now), for: former)
        #expect(phone.state(of: number) == .discarded(.p2sTokenStale))
        let subject = PreviewSubject.notification(try #require(phone.simulator.notification(number)))
        let previewed = try phone.simulator.preview(
            subject, in: phone.simulator.circumstances(of: subject), usesAnswer: false)
        #expect(previewed.notification.state == .discarded(.p2sTokenStale))
        #expect(phone.state(of: phone.pushStart()) == .delivered)
    }

    @Test("T8 p2sTokenSilent: the system issues a push-to-start token without reporting it to the app")
    func silent() throws {
        let phone = Phone(assumptions: .with { $0.p2sTokenSilent = true })
        try change(.issuePushToStart(app: Phone.chat, .sandbox), on: phone)
        #expect(phone.state.live.activities.settings(of: Phone.chat).pushToStart.count == 1)
        #expect(phone.events(.tokenIssued).isEmpty)
    }

    @Test("T11 an app without notification permission may still show activities") func withoutPermission() throws {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .denied }
        #expect(phone.state(of: phone.pushStart()) == .delivered)
        #expect(phone.state.live.activities.activities.map(\.state) == [.active])
    }

    /// ThreadSanitizer reports a query that reads apps or tokens outside the lock.
    @Test("screens and suggestions are read while apps and tokens change") func readsDuringChanges() async throws {
        let phone = Phone()
        _ = try started(phone)
        let (simulator, now) = (phone.simulator, phone.now)
        let screen = simulator.screen(of: Phone.name, at: now)?.activities
        await withTaskGroup { group in
            group.addTask {
                for number in 0..<300 {
                    simulator.put(App(bundleID: "app\(number)"))
                    _ = simulator.registered(Phone.name, topic: "app\(number)")
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    let shown = simulator.screen(of: Phone.name, at: now)?.activities
                    let isInstalled = simulator.withSiri(of: Phone.name, at: now) { $1.isInstalled("none") }
                    #expect(shown == screen && isInstalled == false)
                }
            }
        }
    }

    // MARK: Former tokens

    private func started(_ phone: Phone) throws -> (id: String, token: DeviceToken) {
        try phone.allowActivities()
        phone.pushStart()
        let activity = try #require(phone.state.live.activities.activities.last)
        return (activity.id, try #require(activity.push.token))
    }

    private func change(_ input: ActivityInput, on phone: Phone) throws { try phone.perform(.activity(input)) }

    private func shortLived() -> Phone { Phone(assumptions: .with { $0.formerTokenTime = .hour }) }

    @Test("T6 the token of an ended activity answers 410 until it is forgotten") func forgets() throws {
        let phone = shortLived()
        let (id, token) = try started(phone)
        try change(.end(id, ActivityEnd()), on: phone)
        phone.wait(.milliseconds(3_599_999))
        #expect(phone.simulator.registration(of: token)?.status.kind == .expired)
        phone.wait(.milliseconds(1))
        #expect(phone.simulator.registration(of: token) == nil)
        let device = try #require(phone.simulator.device(named: Phone.name))
        #expect(device.registrations.map(\.kind) == [.pushtostart] && device.forgottenTokenCount == 1)
    }

    @Test("T6 a token is remembered while the inbox has a push to it") func staysForInbox() throws {
        let phone = shortLived()
        let (id, token) = try started(phone)
        let update = try push(Self.update(2), to: token, on: phone, 1)
        try change(.end(id, ActivityEnd()), on: phone)
        phone.wait(.seconds(7200))
        #expect(phone.simulator.registration(of: token)?.status.kind == .expired)
        _ = try phone.loadedElsewhere()
        phone.clear([update])
        phone.pushStart()
        #expect(phone.simulator.registration(of: token) == nil)
    }

    @Test("T4 a device has at most 200 former tokens, and forgets the oldest first") func isBounded() throws {
        let phone = Phone()
        let (id, first) = try started(phone)
        for _ in 1...200 { try change(.rotateToken(id), on: phone) }
        #expect(phone.simulator.registration(of: first)?.status.kind == .unregistered)
        try change(.rotateToken(id), on: phone)
        #expect(phone.simulator.registration(of: first) == nil)
        #expect(phone.state.forgottenTokenCount == 1)
        for _ in 1...200 { try change(.issuePushToStart(app: Phone.chat, .sandbox), on: phone) }
        #expect(phone.state.forgottenTokenCount == 200)
        let current = try #require(phone.state.live.activities.activities[0].push.token)
        #expect(phone.simulator.registration(of: current)?.status == .active)
    }
}
