import APNs
import DeviceModel
import JSON
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Prompts about an app (B.1, B.10), and App Clips.
@Suite struct PromptTests {
    static let timeSensitive = #""interruption-level":"time-sensitive""#

    @Test(
        "V5 S3-11 S0-25 B.10 the first Time Sensitive notification shows the prompt once; turning them off makes them active"
    )
    func introducesTimeSensitive() throws {
        let phone = Phone()
        let first = phone.alert("1", Self.timeSensitive)
        #expect(phone.story(first).last == .prompt)
        let prompt = try #require(phone.events(.prompt).first)
        #expect(prompt.text("kind") == "timeSensitiveIntro")
        #expect(prompt.details["choices"] == .array([.string("leaveOn"), .string("turnOff")]))
        #expect(phone.app().prompt == .timeSensitiveIntro)
        phone.alert("2", Self.timeSensitive)
        #expect(phone.events(.prompt).count == 1)
        let events = try phone.act(.answer(choice: .turnOff, app: Phone.chat))
        #expect(events.map(\.kind) == [.act, .settingsChanged])
        #expect(phone.app().settings.timeSensitive == .disabled)
        #expect(phone.app().prompt == nil)
        #expect(phone.simulator.notification(phone.alert("3", Self.timeSensitive))?.outcome?.level == .active)
    }

    @Test("B.10 leaving them on changes no setting") func leavesTimeSensitiveOn() throws {
        let phone = Phone()
        phone.alert("1", Self.timeSensitive)
        #expect(try phone.act(.answer(choice: .leaveOn, app: Phone.chat)).map(\.kind) == [.act])
        #expect(!phone.app().hasOwnSettings)
        #expect(throws: SimulatorError.noPrompt(app: Phone.chat)) {
            try phone.act(.answer(choice: .leaveOn, app: Phone.chat))
        }
    }

    @Test("S3-11 B.10 after thirty days of use the next Time Sensitive notification shows the prompt again")
    func reviewsTimeSensitive() throws {
        let phone = Phone()
        phone.alert("1", Self.timeSensitive)
        try phone.act(.answer(choice: .leaveOn, app: Phone.chat))
        phone.wait(.seconds(30 * 86_400 - 1))
        phone.alert("2", Self.timeSensitive)
        #expect(phone.app().prompt == nil)
        phone.wait(.seconds(1))
        #expect(phone.app().prompt == nil)
        let third = phone.alert("3", Self.timeSensitive)
        #expect(phone.app().prompt == .timeSensitiveReview)
        let prompt = try #require(phone.events(.prompt).last)
        #expect(prompt.notification == third)
        #expect(prompt.text("kind") == "timeSensitiveReview")
        #expect(prompt.details["choices"] == .array([.string("leaveOn"), .string("turnOff")]))
        try phone.act(.answer(choice: .turnOff, app: Phone.chat))
        #expect(phone.app().settings.timeSensitive == .disabled)
    }

    // MARK: Provisional authorization

    private func provisional() -> (Phone, UInt64) {
        let phone = Phone(app: { $0.settings.authorizationStatus = .provisional })
        return (phone, phone.alert("psst", #""badge":4"#))
    }

    @Test("V16 B.1 a quiet notification is in Notification Center only, and the first one shows the prompt")
    func asksAboutQuietOnes() throws {
        let (phone, push) = provisional()
        #expect(phone.story(push) == [.received, .contentDelivered, .notificationCenter, .prompt])
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
        #expect(phone.app().badge == 0)
        #expect(phone.app().prompt == .provisional)
        #expect(phone.story(phone.alert("again")) == [.received, .contentDelivered, .notificationCenter])
    }

    @Test("B.1 the choice keep authorizes the app for Notification Center") func keeps() throws {
        let (phone, _) = provisional()
        try phone.act(.answer(choice: .keep, app: Phone.chat))
        #expect(phone.app().settings.authorizationStatus == .authorized)
        let push = phone.alert("more", #""badge":4"#)
        #expect(phone.story(push) == [.received, .contentDelivered, .notificationCenter])
        #expect(phone.app().badge == 0)
    }

    @Test("B.1 H.8 the choice keepInSummary is offered while a summary is scheduled") func keepsInSummary() throws {
        let (phone, _) = provisional()
        let prompt = try #require(phone.events(.prompt).first)
        #expect(prompt.details["choices"] == .array([.string("keep"), .string("turnOff")]))
        #expect(throws: SimulatorError.summaryOff) { try phone.act(.answer(choice: .keepInSummary, app: Phone.chat)) }
        #expect(phone.app().prompt == .provisional)
        phone.change { $0.summary.isEnabled = true }
        try phone.act(.answer(choice: .keepInSummary, app: Phone.chat))
        #expect(phone.app().settings.scheduledDelivery == .enabled)
        let push = phone.alert("later")
        #expect(phone.nextSummary == [push])
    }

    @Test("B.1 the choice turnOff denies the app and removes its notifications") func turnsOff() throws {
        let (phone, push) = provisional()
        let events = try phone.act(.answer(choice: .turnOff, app: Phone.chat))
        #expect(events.map(\.kind) == [.act, .settingsChanged, .removed])
        #expect(events.last?.notification == push)
        #expect(phone.app().settings.authorizationStatus == .denied)
        #expect(phone.state(of: phone.alert("no")) == .discarded(.disabled))
    }

    @Test("B.1 a prompt closes when the person decides in Settings") func closesPrompts() throws {
        let (phone, _) = provisional()
        phone.settings { $0.authorizationStatus = .authorized }
        #expect(throws: SimulatorError.noPrompt(app: Phone.chat)) {
            try phone.act(.answer(choice: .keep, app: Phone.chat))
        }
        phone.alert("1", Self.timeSensitive)
        #expect(phone.app().prompt == .timeSensitiveIntro)
        phone.settings { $0.timeSensitive = .disabled }
        #expect(phone.app().prompt == nil)
    }

    // MARK: App Clips

    @Test("B.1 an App Clip may notify for eight hours, or as long as assumed", arguments: [8, 2])
    func endsAppClips(_ hours: Int64) {
        let phone = Phone(assumptions: .with { $0.ephemeralLifetime = hours * .hour })
        phone.settings { $0.authorizationStatus = .ephemeral }
        #expect(phone.simulator.nextDue == .at(hours * .hour))
        phone.wait(.milliseconds(hours * .hour - 1))
        #expect(phone.state(of: phone.alert()) == .delivered)
        phone.wait(.milliseconds(1))
        #expect(phone.events(.settingsChanged).last?.text("reason") == "ephemeralEnded")
        #expect(phone.app().settings.authorizationStatus == .denied)
        #expect(phone.state(of: phone.alert()) == .discarded(.disabled))
    }

    @Test("B.1 opening an App Clip restarts its time limit, also when its own settings make it one")
    func countsFromTheLaunch() throws {
        let phone = Phone(app: {
            $0.settings.authorizationStatus = .ephemeral
            $0.settings.badge = .disabled
        })
        #expect(phone.simulator.nextDue == nil)
        try phone.act(.open(app: Phone.chat))
        phone.wait(.seconds(7 * 3600))
        try phone.act(.open(app: Phone.chat))
        phone.wait(.seconds(7 * 3600))
        #expect(phone.app().settings.authorizationStatus == .ephemeral)
        phone.wait(.seconds(3600))
        #expect(phone.app().settings.authorizationStatus == .denied)
        #expect(phone.app().settings.badge == .disabled)
    }

    private static let beginnings: [@Sendable (Phone) -> Void] = [
        { _ = $0.registration(Phone.chat, .app) },
        { $0.change { ($0.isLocked, $0.isScreenOn, $0.foregroundApp) = (false, true, Phone.chat) } },
        { phone in
            phone.app { $0.settings.authorizationStatus = .authorized }
            phone.alert()
            phone.putApp { $0.settings.authorizationStatus = .ephemeral }
        },
    ]

    @Test(
        "B.1 the time of an App Clip by its own settings begins with its registration, its launch, or their change",
        arguments: beginnings.indices)
    func begins(_ index: Int) {
        let phone = Phone(app: { $0.settings.authorizationStatus = .ephemeral })
        phone.wait(.seconds(60))
        Self.beginnings[index](phone)
        phone.wait(.seconds(4 * 3600))
        _ = phone.registration(Phone.chat + ".voip", .voip)
        phone.wait(.milliseconds(4 * .hour - 1))
        #expect(phone.app().settings.authorizationStatus == .ephemeral)
        phone.wait(.milliseconds(1))
        #expect(phone.app().settings.authorizationStatus == .denied)
    }

    @Test("B.1 an App Clip that becomes the full app keeps its permission") func becomesAnApp() throws {
        let phone = Phone(app: { $0.settings.authorizationStatus = .ephemeral })
        try phone.act(.open(app: Phone.chat))
        phone.simulator.put(App(bundleID: Phone.chat))
        phone.wait(.seconds(9 * 3600))
        #expect(phone.app().settings.authorizationStatus == .authorized)
        #expect(phone.events(.settingsChanged).isEmpty)
    }

    @Test("B.1 other settings do not extend an App Clip's time") func settingsOfAnAppClip() throws {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        phone.wait(.seconds(7 * 3600))
        phone.settings { $0.sound = .disabled }
        phone.wait(.seconds(3600))
        #expect(phone.app().settings.authorizationStatus == .denied)
    }

    @Test("B.1 the answer to a prompt does not extend an App Clip's time") func promptOfAnAppClip() throws {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        phone.alert("1", Self.timeSensitive)
        try phone.act(.answer(choice: .turnOff, app: Phone.chat))
        phone.wait(.seconds(8 * 3600))
        #expect(phone.app().settings.authorizationStatus == .denied)
    }

    @Test func resettingSettingsRestoresAnAppClipsPermission() throws {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        try phone.perform(.settings(nil, app: Phone.chat))
        phone.wait(.seconds(86_400))
        #expect(phone.state(of: phone.alert()) == .delivered)
    }

    // MARK: The app's own settings

    @Test(
        "an app whose own settings allow nothing any more loses its notifications, unless the person's settings apply")
    func losesItsPermission() {
        for isOwn in [true, false] {
            let phone = Phone()
            if !isOwn { phone.settings { $0.sound = .disabled } }
            let push = phone.alert("1", Self.timeSensitive)
            phone.putApp { $0.settings.authorizationStatus = .denied }
            #expect(phone.lockScreen == (isOwn ? [] : [push]))
            #expect(phone.events(.removed).map { $0.text("reason") } == (isOwn ? ["turnedOff"] : []))
            #expect((phone.app().prompt == nil) == isOwn)
        }
    }
}

extension Phone {
    /// Changes the app as the admin API does.
    fileprivate func putApp(_ edit: (inout App) -> Void) {
        var app = simulator.app(Phone.chat)!
        edit(&app)
        simulator.put(app, at: now)
    }
}
