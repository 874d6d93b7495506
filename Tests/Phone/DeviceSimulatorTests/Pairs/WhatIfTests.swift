import APNs
import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing

@testable import DeviceSimulator

/// A preview decides about a delivered push as of its delivery, whatever has happened since.
@Suite struct WhatIfTests {
    private static let unlocked: @Sendable (inout DeviceConditions) -> Void = { $0.unlock() }
    private static let silent: @Sendable (inout DeviceConditions) -> Void = { $0.ringSwitch = .silent }
    private static let focused: @Sendable (inout DeviceConditions) -> Void = { $0.startWork() }

    // MARK: Live Activities

    private static let alerting =
        #"{"aps":{"event":"update","timestamp":1767571200,"content-state":{"step":2},"#
        + #""alert":{"title":"Close","sound":"default"}}}"#

    private func update(_ payload: String = alerting, on phone: Phone) throws -> UInt64 {
        let token = try #require(phone.registrations.last { $0.kind == .liveactivity })
        return phone.push(payload, to: token, type: .liveactivity)
    }

    private static let later: [@Sendable (Phone) throws -> Void] = [
        { _ in },
        { phone in
            let id = phone.state.live.activities.activities[0].id
            phone.wait(.seconds(600))
            try phone.perform(.activity(.update(id, ActivityUpdate())))
            try phone.perform(.activity(.end(id, ActivityEnd())))
        },
        { try $0.perform(.activity(.settings(app: Phone.chat, .with { $0.setting = .denied }))) },
        { try $0.act(.uninstall(app: Phone.chat)) },
    ]

    @Test("without a change, an activity's push does what it did; a change takes effect", arguments: later.indices)
    func activities(_ row: Int) throws {
        let phone = Phone()
        try phone.allowActivities()
        let pushes = [phone.pushStart(), try update(on: phone)]
        let facts = pushes.map { phone.simulator.notification($0)?.activity?.facts }
        try Self.later[row](phone)
        for (push, facts) in zip(pushes, facts) {
            let recorded = try #require(phone.simulator.notification(push))
            let same = try phone.preview(push)
            #expect(same.why == recorded.why && same.activity?.facts == facts)
            #expect(try phone.preview(push, Self.focused).activity?.alert?.suppressedBy == "focus")
            #expect(try phone.preview(push, Self.silent).activity?.alert?.sound == nil)
            #expect(try phone.preview(push, Self.unlocked).activity?.alert?.presentation == .expanded)
            let offline = try phone.preview(push) { $0.isOnline = false }
            #expect(offline.state == .stored(.offline) && offline.activity == nil)
            #expect(offline.why.hasPrefix("Waits until the device is online"))
        }
    }

    @Test("a push that an activity dropped is dropped for the same reason") func dropped() throws {
        let phone = Phone()
        try phone.allowActivities()
        phone.pushStart()
        let old = try update(#"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#, on: phone)
        let id = phone.state.live.activities.activities[0].id
        try phone.perform(.activity(.end(id, ActivityEnd())))
        let over = try update(on: phone)
        #expect(try phone.preview(old).state == .discarded(.timestampOlder))
        #expect(try phone.preview(over).state == .discarded(.activityEnded))
    }

    // MARK: Calls and speech

    private static let calls: [(reply: ServiceReplies.VoIPReply.Kind, isFocusOn: Bool, count: Int)] = [
        (.reportCall, false, 1), (.reportCall, true, 1), (.reportCall, true, 2), (.nothing, false, 5),
        (.timeout, false, 1), (.reportExisting, false, 1),
    ]

    @Test("L3 without a change, a call ends as it did, whatever it and later ones led to", arguments: calls.indices)
    func voip(_ row: Int) throws {
        let (reply, isFocusOn, count) = Self.calls[row]
        let phone = Phone(app: { $0.declareVoIP() })
        if isFocusOn { phone.change { $0.focus = Self.noCalls } }
        try phone.reply { $0.voip = .with { ($0.reply, $0.handle) = (reply, "kim@example.com") } }
        let pushes = (0..<count).map { _ in phone.voip() }
        let expected = pushes.map { phone.simulator.notification($0)?.why }
        try phone.reply { $0.voip = nil }
        try phone.services { $0.call = .active }
        let previewed = try pushes.map { try phone.preview($0).why }
        #expect(previewed == expected)
    }

    /// Silences calls, but not a caller who calls again.
    private static var noCalls: FocusSettings {
        .with { ($0.modes, $0.active) = ([FocusTests.work { $0.allowsCallsFrom = .nobody }], "work") }
    }

    @Test("L3 a Focus would have filtered a call that rang, although the caller is now known to have called")
    func filtered() throws {
        let phone = Phone(app: { $0.declareVoIP() })
        try phone.reply { $0.voip = .with { $0.handle = "kim@example.com" } }
        let push = phone.voip()
        let previewed = try phone.preview(push) { $0.focus = Self.noCalls }
        #expect(previewed.service?.verdict == .delivered(.filtered))
        #expect(try phone.preview(push, Self.unlocked).service?.verdict == .delivered(.rings))
        let offline = try phone.preview(push) { $0.isOnline = false }
        #expect(offline.state == .stored(.offline) && offline.service == nil)
    }

    @Test("L3 who spoke on a channel did so, although the app has left it") func speech() throws {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        try phone.services { $0.channel = "Team" }
        try phone.reply { $0.pushtotalk = .with { $0.name = "Aga" } }
        let token = try #require(phone.registrations.last { $0.kind == .pushtotalk })
        let push = phone.push("{}", to: token, type: .pushtotalk)
        try phone.reply { $0.pushtotalk = nil }
        try phone.services { $0.channel = nil }
        #expect(try phone.preview(push).why == "A participant speaks: Aga.")
    }

    @Test("a background push in the foreground would have woken the app behind the lock screen") func background()
        throws
    {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        let push = phone.background()
        try phone.act(.terminate(app: Phone.chat))
        #expect(try phone.preview(push).why == phone.simulator.notification(push)?.why)
        let locked = try phone.preview(push) { $0.isLocked = true }
        #expect(locked.places.contains(.wokeApp))
    }
}

extension Phone {
    /// What would have become of a push under other conditions.
    func preview(
        _ notification: UInt64, _ edit: (inout DeviceConditions) -> Void = { _ in }
    ) throws(SimulatorError) -> Notification {
        guard let recorded = simulator.notification(notification) else { throw .noSuchNotification(notification) }
        let subject = PreviewSubject.notification(recorded)
        var circumstances = try simulator.circumstances(of: subject)
        edit(&circumstances.device)
        return try simulator.preview(subject, in: circumstances, usesAnswer: true).notification
    }
}
