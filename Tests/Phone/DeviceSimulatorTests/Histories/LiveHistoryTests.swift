import APNs
import DeviceModel
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Random histories with Live Activities, broadcasts and services: the invariants hold, and journal, checkpoint and
/// snapshot restore them.
@Suite struct LiveHistoryTests {
    @Test(
        "the invariants of activities and tokens hold, and replaying the journal gives the same state",
        arguments: 0..<UInt64(60))
    func isSame(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        var history = LiveHistory(kept.phone, seed)
        for round in 0..<3 {
            for step in 0..<25 {
                history.happen()
                if step % 4 == 0 { kept.keeper.commit() }
                try #require(kept.phone.liveProblems == [], "seed \(seed), round \(round), step \(step)")
            }
            try kept.expectSameAgain("seed \(seed), round \(round)")
            if round == 0 {
                kept.keeper.commit()
                kept.keeper.writeCheckpoint()
            }
        }
    }

    @Test("a loaded snapshot behaves like the original", arguments: 0..<UInt64(30)) func loads(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        var history = LiveHistory(kept.phone, seed &+ 5000)
        for _ in 0..<50 { history.happen() }
        let copy = try kept.phone.loadedElsewhere()
        #expect(copy.essence == kept.phone.simulator.essence, "seed \(seed)")
        for _ in 0..<4 {
            kept.phone.wait(.seconds(5 * 3600))
            copy.advance(to: kept.phone.now)
            #expect(copy.essence == kept.phone.simulator.essence, "seed \(seed)")
        }
    }

    @Test("the histories cover every state, every kind of token and every event of activities") func meetsAll() throws {
        var states: Set<LiveActivity.State> = []
        var kinds: Set<DeviceEvent.Kind> = []
        var forgottenCount: UInt32 = 0
        for seed in UInt64(0)..<60 {
            let kept = try KeptPhone(seed: seed)
            var history = LiveHistory(kept.phone, seed)
            for _ in 0..<75 {
                history.happen()
                states.formUnion(kept.phone.state.live.activities.activities.map(\.state))
            }
            kinds.formUnion(kept.phone.events().map(\.kind))
            forgottenCount += kept.phone.state.forgottenTokenCount
        }
        #expect(states == Set(LiveActivity.State.allCases))
        let expected: Set<DeviceEvent.Kind> = [
            .activityPending, .activityStarted, .activityUpdated, .activityStale, .activityEnded, .activityDismissed,
            .activityAlert, .activityPushDropped, .consentAsked, .consentGiven, .consentDenied, .channelSubscribed,
            .channelUnsubscribed, .tokenIssued, .widgetsReloaded, .controlReloaded,
        ]
        #expect(expected.subtracting(kinds) == [])
        #expect(forgottenCount > 0)
    }
}

/// Applies random steps to a phone; the same seed gives the same history.
struct LiveHistory {
    private let phone: Phone
    private let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
    private var random: LinearGenerator
    private var step = 0

    init(_ phone: Phone, _ seed: UInt64) {
        self.phone = phone
        random = LinearGenerator(state: seed &+ 3000)
        phone.simulator.assumptions.formerTokenTime = 20 * .hour
        phone.simulator.assumptions.updateTokenDelay = seed % 3 == 0 ? 1000 : 0
        phone.simulator.assumptions.p2sRotateOnStart = seed % 2 == 0
        phone.simulator.assumptions.tokenAfterEnd = seed % 5 == 0 ? .dropped : .expired
        phone.simulator.assumptions.enforceActivityBudgets = seed % 7 == 0
        _ = try? phone.simulator.createChannel(channel, policy: .mostRecent, at: phone.now)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func change(_ input: ActivityInput) { _ = try? phone.perform(.activity(input)) }

    mutating func happen() {
        step += 1
        let activity = phone.state.live.activities.activities.randomElement(using: &random)?.id ?? "none"
        switch Int.random(in: 0..<24, using: &random) {
        case 0...2: request()
        case 3...4: startByPush()
        case 5...8: push(to: activity)
        case 9: broadcast()
        case 10: change(.update(activity, update()))
        case 11: change(.end(activity, ActivityEnd()))
        case 12: change(.dismiss(activity))
        case 13: change(.rotateToken(activity))
        case 14: change(.answer(app: Phone.chat, ConsentAnswer.allCases.randomElement(using: &random) ?? .allow))
        case 15: change(.settings(app: Phone.chat, settings()))
        case 16: change(.issuePushToStart(app: Phone.chat, .sandbox))
        case 17: services()
        case 18: phone.change { $0.isLocked.toggle() }
        case 19: phone.change { $0.isOnline.toggle() }
        case 20: rarely()
        default: phone.wait(.milliseconds([1, 1000, 600_000, 4 * 3_600_000].randomElement(using: &random) ?? 1))
        }
    }

    private mutating func rarely() {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: _ = try? phone.act(.uninstall(app: Phone.chat))
        case 1: phone.change { $0.isPoweredOn.toggle() }
        case 2: phone.clear(Array(phone.state.inbox.items.prefix(3).map(\.sequence)))
        default: phone.wait(.seconds(21 * 3600))
        }
    }

    // MARK: Apps and the person

    private mutating func request() {
        var start = ActivityStart()
        (start.bundleID, start.type, start.isIntent) = (Phone.chat, "Ride", true)
        start.content = ["step": .integer(step)]
        start.push = chance(40) ? .token : chance(50) ? .channel(channel.id) : .none
        start.style = chance(20) ? .transient : .standard
        if chance(30) { start.staleDate = phone.now.advanced(by: 600_000) }
        if chance(20) {
            start.startsAt = phone.now.advanced(by: 300_000)
            start.alert = ActivityAlertText()
        }
        change(.start(start))
    }

    private mutating func update() -> ActivityUpdate {
        var update = ActivityUpdate.with { $0.content = ["step": .integer(step)] }
        if chance(30) { update.staleDate = phone.now.advanced(by: chance(50) ? -1 : 60_000) }
        return update
    }

    private mutating func settings() -> LiveSettingsChange {
        var change = LiveSettingsChange.with { $0.setting = chance(10) ? .denied : chance(30) ? .undecided : .always }
        if chance(10) { change.frequentEnabled = chance(50) }
        return change
    }

    private mutating func services() {
        let (hasControl, hasWidget, joins) = (chance(50), chance(50), chance(50))
        if joins { _ = try? phone.act(.open(app: Phone.chat)) }
        try? phone.services { settings in
            settings.controls = hasControl ? [.of("c1", "door")] : []
            settings.widgets = hasWidget ? [.of("w1", "scores")] : []
            settings.channel = joins ? "Team" : nil
        }
        for registration in phone.simulator.device(named: Phone.name)?.registrations ?? []
        where registration.status == .active {
            if registration.kind == .controls { phone.push("{}", to: registration, type: .controls) }
            if registration.kind == .widgets {
                phone.push(#"{"aps":{"content-changed":true}}"#, to: registration, type: .widgets)
            }
        }
    }

    // MARK: Pushes

    private mutating func payload(_ event: String, _ more: String = "") -> String {
        let timestamp = phone.now.milliseconds / 1000 - (chance(15) ? 100_000 : 0)
        let alert = event == "start" || chance(30) ? #","alert":{"title":"T","body":"B"}"# : ""
        return
            #"{"aps":{"event":"\#(event)","timestamp":\#(timestamp),"content-state":{"step":\#(step)}\#(alert)\#(more)}}"#
    }

    private mutating func startByPush() {
        let input = chance(30) ? #","input-push-channel":"\#(channel.id)""# : ""
        let payload = payload("start", #","attributes-type":"Ride","attributes":{}\#(input)"#)
        phone.pushStart(payload)
    }

    private mutating func push(to activity: String) {
        guard let token = phone.state.live.activities[activity]?.push.token,
            let registration = phone.simulator.registration(of: token), registration.status == .active
        else { return }
        let priority: Priority = chance(70) ? .immediate : .powerConserving
        let payload = payload(chance(80) ? "update" : "end")
        phone.push(payload, to: registration, type: .liveactivity, priority: priority)
    }

    private mutating func broadcast() {
        let payload = payload(chance(80) ? "update" : "end")
        _ = try? phone.simulator.broadcast(
            Broadcast(
                Array(payload.utf8), on: channel, uniqueID: APNsID(high: 0, low: UInt64(step)), priority: .immediate,
                expiration: chance(50) ? .unspecified : .immediate, receivedAt: phone.now))
    }
}

extension Phone {
    /// The violated invariants.
    fileprivate var liveProblems: [String] {
        let state = state
        let activities = state.live.activities.activities
        let registrations = simulator.device(named: Self.name)?.registrations ?? []
        let channels = Set(activities.filter(\.state.isOngoing).compactMap(\.channelKey))
        let current = activities.filter(\.state.isLive).compactMap(\.push.token)
        let subjects = Set(activities.filter(\.state.isOngoing).map(\.id))
        let checks = [
            ("more activities than may be", activities.count(where: \.state.isOngoing) <= 5),
            ("the subscriptions are not those of the activities", Set(state.subscriptions.map(\.channel)) == channels),
            (
                "the token of a live activity is not good",
                current.allSatisfy { simulator.registration(of: $0)?.status == .active }
            ),
            (
                "the token of an activity that is over is good",
                simulator.assumptions.tokenAfterEnd == .dropped
                    || registrations.allSatisfy {
                        $0.kind != .liveactivity || $0.status != .active || subjects.contains($0.subject ?? "")
                    }
            ),
            ("a token is known twice", Set(registrations.map(\.token)).count == registrations.count),
            (
                "a listed token is unknown",
                registrations.allSatisfy { simulator.registration(of: $0.token)?.device == Self.name }
            ),
            ("something is due in the past", state.nextDue > now),
            ("effects are left", state.effects.isEmpty),
        ]
        return checks.compactMap { name, holds in holds ? nil : name }
    }
}
