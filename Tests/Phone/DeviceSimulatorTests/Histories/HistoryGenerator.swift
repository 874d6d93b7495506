import APNs
import JSON
import SiriModel
import TestSupport
import Time

@testable import DeviceModel
@testable import DeviceSimulator

/// Generates a phone's history step by step; the same seed gives the same history.
struct HistoryGenerator {
    /// One step.
    enum Step {
        case push(
            payload: String, app: String, type: PushType, priority: Priority, expiration: Expiration, collapse: String?,
            lateBy: Int64)
        case act(DeviceAct)
        /// One of the running extensions finishes.
        case extended(place: Int, ExtensionRun)
        case conditions(DeviceConditions)
        case settings(NotificationSettings?, app: String)
        case time(Duration)
    }

    static let mail = "com.example.mail"
    private static let apps = [Phone.chat, Phone.chat, mail]
    private var random: LinearGenerator

    init(seed: UInt64) { random = LinearGenerator(state: seed &* 0x9E37_79B9_7F4A_7C15) }

    /// A phone with two apps, the second of which has no entitlements.
    mutating func phone() -> Phone {
        var assumptions = Assumptions()
        assumptions.storesOnePerApp = chance(70)
        assumptions.backgroundBudget = pick([0, 1, 2, 3])
        assumptions.complicationBudget = pick([0, 1])
        assumptions.voipMaxUnreported = 1
        assumptions.focusReplaysAlerts = chance(20)
        assumptions.summaryPrecedesFocus = chance(70)
        assumptions.negativeBadgeKeepsNotifications = chance(30)
        assumptions.storageTime = pick([30 * .day, .day])
        assumptions.timeSensitiveReviewInterval = 2 * .day
        let (hasExtension, isFiltering) = (chance(60), chance(50))
        let phone = Phone(
            assumptions: assumptions,
            app: { app in
                app.categories = Self.categories
                app.userActivityTypes = ["INSendMessageIntent"]
                app.ptt = true
                app.widgets = [.of("scores")]
                app.controls = [.of("door")]
                app.locationExtension = true
                if hasExtension { app.extension = .stub }
                if !isFiltering { app.entitlements.removeAll { $0 == Entitlement.filtering.rawValue } }
            })
        var mail = App(bundleID: Self.mail)
        mail.presentationOptions = [.banner, .sound]
        mail.backgroundModes = chance(90) ? nil : []
        mail.declareVoIP()
        mail.pushkit?.voip = chance(50)
        mail.locationExtension = chance(50)
        mail.settings.authorizationStatus = pick([.authorized, .provisional, .ephemeral])
        phone.simulator.put(mail)
        phone.change { $0.contacts = [Self.kim] }
        return phone
    }

    private static var categories: [NotificationCategory] {
        [
            NotificationCategory(
                identifier: "message",
                actions: [
                    NotificationAction(identifier: "like", title: "like"),
                    NotificationAction(identifier: "open", title: "open", options: [.foreground]),
                    NotificationAction(
                        identifier: "reply", title: "reply", options: [.authenticationRequired],
                        textInput: .init(buttonTitle: "Send")),
                ], options: [.customDismissAction])
        ]
    }

    private static var kim: Contact { .with { ($0.id, $0.name) = ("C1", "Kim") } }

    /// The next step for a phone.
    mutating func step(on phone: Phone) -> Step {
        let extendingCount = phone.state.extending.count
        if extendingCount > 0, chance(30) {
            return .extended(place: Int.random(in: 0..<extendingCount, using: &random), run(at: phone.now))
        }
        return switch Int.random(in: 0..<100, using: &random) {
        case ..<45: push(at: phone.now)
        case ..<65: .act(act(on: phone))
        case ..<78: .conditions(conditions(after: phone.state, at: phone.now))
        case ..<84: .settings(settings(), app: pick(Self.apps))
        default:
            .time(
                pick([
                    .milliseconds(1), .seconds(1), .seconds(600), .seconds(3600), .seconds(9 * 3600), .seconds(86400),
                ]))
        }
    }

    // MARK: Pushes

    private mutating func push(at now: Instant) -> Step {
        let type: PushType = chance(65) ? .alert : chance(50) ? .background : pick(PushType.allCases)
        // The header counts in seconds.
        let now = Instant(milliseconds: now.milliseconds / 1000 * 1000)
        let expirations: [Expiration] = [
            .unspecified, .unspecified, .immediate, .at(now.advanced(by: .hour)), .at(now.advanced(by: 2 * .day)),
            .at(now.advanced(by: -.hour)),
        ]
        return .push(
            payload: chance(3) ? pick(["{", "1", #"{"aps":1}"#]) : payload(isAlert: type == .alert),
            app: pick(Self.apps),
            type: type, priority: pick([.immediate, .immediate, .powerConserving, .lowPower]),
            expiration: pick(expirations), collapse: chance(30) ? pick(["a", "b", "c"]) : nil,
            lateBy: chance(20) ? pick([1, 1000, 600_000]) : 0)
    }

    private mutating func payload(isAlert: Bool) -> String {
        var members: [String] = []
        if isAlert, chance(90) { members.append(#""alert":{"title":"T","body":"\#(pick(["one", "two"]))"}"#) }
        if chance(60) {
            members.append(#""interruption-level":"\#(pick(["passive", "active", "time-sensitive", "critical"]))""#)
        }
        if chance(70) {
            members.append(pick([#""sound":"default""#, #""sound":{"critical":1,"name":"a.caf","volume":0.5}"#]))
        }
        if chance(40) { members.append(#""badge":\#(pick([0, 0, 1, 2, 9]))"#) }
        if chance(30) { members.append(#""mutable-content":1"#) }
        if chance(20) || !isAlert { members.append(#""content-available":1"#) }
        if chance(40) { members.append(#""category":"\#(pick(["message", "other"]))""#) }
        if chance(40) {
            members.append(#""relevance-score":\#(pick([0.1, 0.5, 1.0])),"thread-id":"\#(pick(["x", "y"]))""#)
        }
        return #"{"aps":{\#(members.joined(separator: ","))}}"#
    }

    // MARK: Service extensions

    /// The result of an extension: any verdict with any answer.
    private mutating func run(at now: Instant) -> ExtensionRun {
        var run = ExtensionRun(pick(ExtensionRun.End.allCases), startedAt: now, endedAt: now)
        if chance(30) { run.donationCalls = [.donate(donation()), .delete(.group(pick(["a", "b"])))] }
        guard chance(60) else { return run }
        run.answerSource = pick(ExtensionRun.AnswerSource.allCases)
        var content = NotificationContent()
        if chance(70) { content.body = "changed" }
        if chance(40) { content.badge = pick([0, 3]) }
        if chance(40) { content.sound = .default }
        if chance(40) { content.interruptionLevel = pick(InterruptionLevel.allCases) }
        if chance(40) { content.categoryIdentifier = "message" }
        if chance(70) { content.communication = message() }
        content.relevanceScore = pick([0, 0.7])
        run.answer = content
        return run
    }

    /// Of a few conversations, one of them a group to delete by.
    mutating func donation() -> Donation {
        if chance(30) { return reservation() }
        let conversation = pick(["a", "b", "c"])
        let intent: JSONValue = [
            "class": .string("INSendMessageIntent"), "conversationIdentifier": .string(conversation),
            "recipients": .array([["displayName": .string("Kim"), "customIdentifier": .string("u1")]]),
        ]
        return Donation(
            identifier: pick(["1", "2"]), groupIdentifier: conversation, direction: pick([.incoming, .outgoing]),
            intent: intent)
    }

    /// One of two restaurant reservations, booked, moved or cancelled.
    private mutating func reservation() -> Donation {
        let reference = JSONValue.string(pick(["R1", "R2"]))
        let table: JSONValue = [
            "class": .string("INRestaurantReservation"),
            "itemReference": ["id": reference, "spoken": .string("A table")],
            "reservationNumber": reference,
            "reservationStatus": .string(pick(["confirmed", "confirmed", "canceled", "hold"])),
            "reservationDuration": ["start": ["local": .string(pick(Self.evenings)), "tz": .string("UTC")]],
            "restaurantLocation": ["name": .string("Ginza"), "latitude": .number(0.5), "longitude": .number(0.5)],
        ]
        return Donation(
            identifier: pick(["1", "2"]), groupIdentifier: "table",
            intent: ["class": .string("INGetReservationDetailsIntent")], response: ["reservations": .array([table])])
    }

    private static let evenings = ["2026-01-05T19:00:00", "2026-01-06T19:00:00"]

    /// An app's calls about its donations.
    mutating func donationInput() -> DeviceInput {
        let app = pick(Self.apps)
        return pick([
            .donation(.donate(donation()), app: app, .foreground),
            .donation(.donate(donation()), app: app, .background),
            .donation(.delete(.group(pick(["a", "b", "c"]))), app: app, .foreground),
            .donation(.delete(.identifiers(["1"])), app: app, .foreground),
        ])
    }

    /// From a sender with a contact's name, or from a stranger.
    private mutating func message() -> CommunicationContext {
        .with {
            ($0.sender.displayName, $0.sender.customIdentifier) = (pick(["Kim", "Kim", "Sam"]), "u1")
            $0.sender.suggestionType = .socialProfile
        }
    }

    // MARK: What people and apps do

    private mutating func act(on phone: Phone) -> DeviceAct {
        let app = pick(Self.apps)
        let newest = phone.simulator.lastSequence
        let notification =
            newest == 0 || chance(5)
            ? newest + 7 : UInt64.random(in: (newest > 8 ? newest - 8 : 1)...newest, using: &random)
        let message = phone.state.inbox.items.last { $0.places.contains(.communication) }?.sequence
        if let message, chance(30) { return .confirmContact(notification: message) }
        let acts: [DeviceAct] = [
            .lock, .unlock, .wake, .open(app: chance(30) ? nil : app), .terminate(app: app), .restart,
            .uninstall(app: app),
            .tap(notification: notification), .dismiss(notification: notification), .clear(app: chance(50) ? nil : app),
            .perform(
                action: pick(["like", "open", "reply", "none"]), text: chance(40) ? "yes" : nil,
                notification: notification),
            .confirmContact(notification: notification),
            .switchFocus(id: pick(["work", "sleep", nil, nil, "nowhere"])),
            .answer(choice: pick(DeviceAct.PromptChoice.allCases), app: app),
            .answer(choice: pick(DeviceAct.PromptChoice.allCases), app: app),
            .setBadge(count: pick([-2, -1, 0, 0, 4]), app: app),
            .removeDelivered(identifiers: ["a", "push-\(notification)"], app: app), .removeAllDelivered(app: app),
            .setCategories(chance(50) ? [] : [NotificationCategory(identifier: "message")], app: app),
        ]
        return pick(acts)
    }

    // MARK: Conditions and settings

    private mutating func conditions(after old: DeviceState, at now: Instant) -> DeviceConditions {
        var device = old.conditions.value
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            switch Int.random(in: 0..<13, using: &random) {
            case 0:
                device.isOnline.toggle()
                if !device.isOnline, chance(50) {
                    device.offlineUntil = now.advanced(by: pick([-Int64.hour, 600_000, 9 * .hour]))
                }
            case 1: device.isPoweredOn = chance(80)
            case 2: device.isSavingPower.toggle()
            case 3: device.isLocked.toggle()
            case 4: device.isScreenOn.toggle()
            case 5: device.ringSwitch = pick([.ring, .silent])
            case 6: device.focus.modes = modes()
            case 7: device.focus.active = device.focus.modes.isEmpty ? nil : pick([nil] + device.focus.modes.map(\.id))
            case 8: device.summary.isEnabled = chance(70)
            case 9:
                device.summary.times = pick([
                    [WallTime(hour: 8, minute: 0), WallTime(hour: 18, minute: 0)], [WallTime(hour: 2, minute: 30)],
                ])
            case 10 where device.focus.active != nil:
                device.focus.until = chance(30) ? nil : now.advanced(by: pick([-Int64.hour, 600_000, 9 * .hour]))
            case 10, 11: device.timeZone = pick(["UTC", "Asia/Tokyo", "America/New_York"])
            default:
                let app = pick(Self.apps)
                device.foregroundApp = chance(50) || old.uninstalled.contains(app) ? nil : app
            }
        }
        if let active = device.focus.active, !device.focus.modes.contains(where: { $0.id == active }) {
            device.focus.active = nil
        }
        return device
    }

    private mutating func modes() -> [Focus] {
        var work = Focus()
        work.id = "work"
        work.showsOnLockScreen = chance(30)
        work.allowsTimeSensitive = chance(50)
        work.apps.ids = chance(30) ? [Phone.chat] : []
        work.people.ids = chance(50) ? ["contact:C1"] : []
        var schedule = FocusSchedule.with { $0.days = .weekdays }
        if chance(60) { work.schedule = [schedule] }
        var sleep = Focus()
        sleep.id = "sleep"
        schedule = .with { ($0.from, $0.to) = (WallTime(hour: 16, minute: 0), WallTime(hour: 7, minute: 0)) }
        if chance(40) { sleep.schedule = [schedule] }
        return pick([[], [work], [work, sleep], [sleep, work]])
    }

    private mutating func settings() -> NotificationSettings? {
        if chance(15) { return nil }
        var settings = NotificationSettings()
        if chance(40) { settings.authorizationStatus = pick(NotificationSettings.AuthorizationStatus.allCases) }
        settings.scheduledDelivery = chance(60) ? .enabled : .disabled
        if chance(15) { settings.badge = .disabled }
        if chance(15) { settings.lockScreen = .disabled }
        if chance(15) { settings.notificationCenter = .disabled }
        if chance(15) { settings.timeSensitive = .disabled }
        if chance(15) { settings.criticalAlert = .disabled }
        if chance(15) { settings.alertStyle = pick(NotificationSettings.AlertStyle.allCases) }
        return settings
    }

    // MARK: Random choices

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
}
