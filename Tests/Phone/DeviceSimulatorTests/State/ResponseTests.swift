import Foundation
import Testing

@testable import DeviceModel
@testable import DeviceSimulator

/// The person's acts on a notification and the app's responses (I.5).
@Suite struct ResponseTests {
    static let actions = [
        NotificationAction(identifier: "like"),
        NotificationAction(identifier: "delete", options: [.destructive, .authenticationRequired]),
        NotificationAction(identifier: "open", options: [.foreground]),
        NotificationAction(identifier: "reply", textInput: .init(buttonTitle: "Post", placeholder: "Type here…")),
    ]

    private func phone(options: [NotificationCategory.Option] = []) -> (Phone, UInt64) {
        let category = NotificationCategory(identifier: "message", actions: Self.actions, options: options)
        let phone = Phone(app: { $0.categories = [category] })
        return (phone, phone.alert("Hello", #""category":"message""#))
    }

    @Test("S3-29 I.5 a tap unlocks the device, opens the app, and delivers the response") func taps() throws {
        let (phone, push) = phone()
        let events = try phone.act(.tap(notification: push))
        #expect(events.map(\.kind) == [.act, .removed, .appLaunch, .response])
        #expect(events[1].text("reason") == "opened")
        #expect(events[2].text("state") == "foreground")
        #expect(events[3].text("actionIdentifier") == "com.apple.UNNotificationDefaultActionIdentifier")
        #expect(!phone.screen.conditions.isLocked)
        #expect(phone.screen.conditions.isScreenOn)
        #expect(phone.screen.conditions.foregroundApp == Phone.chat)
        #expect(phone.notificationCenter.isEmpty)
    }

    @Test("I.5 the app receives a dismissal only with customDismissAction", arguments: [true, false])
    func dismisses(_ isWanted: Bool) throws {
        let (phone, push) = phone(options: isWanted ? [.customDismissAction] : [])
        let events = try phone.act(.dismiss(notification: push))
        #expect(events.map(\.kind) == (isWanted ? [.act, .response, .removed] : [.act, .removed]))
        #expect(events.last?.text("reason") == "dismissed")
        if isWanted {
            #expect(events[1].text("actionIdentifier") == "com.apple.UNNotificationDismissActionIdentifier")
        }
        #expect(phone.screen.conditions.isLocked)
    }

    @Test("I.5 clearing counts as dismissing each") func clearing() throws {
        let (phone, _) = phone(options: [.customDismissAction])
        #expect(try phone.act(.clear(app: nil)).map(\.kind) == [.act, .response, .removed])
    }

    struct Press: Sendable {
        let action: String
        var text: String?
        let state: String
        let isLocked: Bool
    }

    static let presses = [
        Press(action: "like", state: "background", isLocked: true),
        Press(action: "delete", state: "background", isLocked: false),
        Press(action: "open", state: "foreground", isLocked: false),
        Press(action: "reply", text: "On my way", state: "background", isLocked: true),
    ]

    @Test("S0-4 S0-5 S3-25 I.5 a button's options say whether it unlocks and opens the app", arguments: presses)
    func performs(_ row: Press) throws {
        let (phone, push) = phone()
        let events = try phone.act(.perform(action: row.action, text: row.text, notification: push))
        #expect(events.map(\.kind) == [.act, .removed, .appLaunch, .response])
        #expect(events[2].text("state") == row.state)
        #expect(events[3].text("actionIdentifier") == row.action)
        #expect(events[3].text("userText") == row.text)
        #expect(phone.screen.conditions.isLocked == row.isLocked)
        #expect(phone.screen.conditions.foregroundApp == (row.state == "foreground" ? Phone.chat : nil))
        #expect(phone.notificationCenter.isEmpty)
    }

    @Test func launchesAnEndedApp() throws {
        let (phone, push) = phone()
        try phone.act(.terminate(app: Phone.chat))
        try phone.act(.perform(action: "like", text: nil, notification: push))
        #expect(!phone.app().isTerminated)
    }

    @Test func acceptsOneTapOnABannerThatIsNotListed() throws {
        let phone = Phone({ $0.unlocked(front: Phone.chat) }, app: { $0.presentationOptions = [.banner] })
        let push = phone.alert()
        #expect(phone.notificationCenter.isEmpty)
        try phone.act(.tap(notification: push))
        #expect(throws: SimulatorError.notListed(push, state: "delivered", inSummary: false)) {
            try phone.act(.tap(notification: push))
        }
    }

    // MARK: Rejected

    static let impossible: [(DeviceAct, SimulatorError)] = [
        (.tap(notification: 99), .noSuchNotification(99)),
        (.dismiss(notification: 2), .notListed(2, state: "delivered", inSummary: false)),
        (.tap(notification: 3), .notListed(3, state: "discarded", inSummary: false)),
        (.tap(notification: 4), .notListed(4, state: "delivered", inSummary: true)),
        (
            .perform(action: "shout", text: nil, notification: 1),
            .unknownAction("shout", notification: 1, known: ["like", "delete", "open", "reply"])
        ),
        (.perform(action: "like", text: nil, notification: 5), .unknownAction("like", notification: 5, known: [])),
        (.perform(action: "like", text: "no", notification: 1), .textMismatch("like", takesText: false)),
        (.perform(action: "reply", text: nil, notification: 1), .textMismatch("reply", takesText: true)),
        (.switchFocus(id: "party"), .unknownFocus("party", known: ["work"])),
        (.setBadge(count: -1, app: Phone.chat), .negativeBadge(-1)),
        (.answer(choice: .keep, app: Phone.chat), .noPrompt(app: Phone.chat)),
        (
            .answer(choice: .leaveOn, app: "quiet"),
            .wrongChoice(.leaveOn, .provisional, [.keep, .keepInSummary, .turnOff])
        ),
        (.confirmContact(notification: 1), .noSuggestion(1)),
    ]

    @Test("I.5 impossible acts are rejected and change nothing", arguments: impossible.indices)
    func refuses(_ index: Int) throws {
        let (act, error) = Self.impossible[index]
        let (phone, _) = phone()
        phone.push(#"{"aps":{"badge":1}}"#)
        phone.push("{")
        phone.change { ($0.focus.modes, $0.summary.isEnabled) = ([FocusTests.work()], true) }
        phone.settings("summarized") { $0.scheduledDelivery = .enabled }
        phone.alert("later", app: "summarized")
        phone.alert("plain")
        phone.settings("quiet") { $0.authorizationStatus = .provisional }
        phone.alert("psst", app: "quiet")
        let before = try snapshot(phone)
        let state = phone.state
        #expect(throws: error) { try phone.act(act) }
        #expect(phone.state == state)
        #expect(try snapshot(phone) == before)
        #expect(!error.message.isEmpty)
    }

    private func snapshot(_ phone: Phone) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(phone.simulator.snapshot()), as: UTF8.self)
    }

    @Test func rejectsActsOnUnknownDevices() {
        #expect(throws: SimulatorError.noSuchDevice("Nobody")) {
            try Phone().simulator.perform(.lock, on: "Nobody", at: .at(0))
        }
    }
}

extension DeviceConditions {
    /// Brings an app to the foreground.
    mutating func unlocked(front app: String? = nil) {
        isLocked = false
        isScreenOn = true
        foregroundApp = app
    }
}
