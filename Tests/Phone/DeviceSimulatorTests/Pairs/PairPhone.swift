import APNs
import DeviceModel
import JSON
import LiveModel
import SiriModel
import TestSupport
import Time

@testable import DeviceSimulator

/// A phone on which one thing is about to happen, and a tablet of the same person.
final class PairPhone {
    enum Happening: String, CaseIterable, Sendable {
        case alert, background, voip
        /// For all types that have a surface or service of the app.
        case widget
        case activity = "Live Activity"
        case local = "local notification"
        case donation, reservation, summary, channel

        /// The event by which the person or the app notices it.
        var event: DeviceEvent.Kind {
            switch self {
            case .alert: .lockScreen
            case .background: .backgroundPush
            case .voip: .call
            case .widget: .widgetsReloaded
            case .activity: .activityStarted
            case .local: .localFired
            case .donation: .donation
            case .reservation: .calendarEvent
            case .summary: .summaryDelivered
            case .channel: .activityUpdated
            }
        }
    }

    static let tablet = "Tablet"
    private static let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")

    let phone: Phone
    private let happening: Happening
    private var token: Registration?

    init(_ happening: Happening, onOldOS: Bool) throws {
        self.happening = happening
        phone = Phone {
            if onOldOS { $0.osVersion = OSVersion(happening == .channel ? 17 : 15) }
            $0.summary.isEnabled = happening == .summary
        } app: { app in
            app.declareVoIP()
            app.widgets = [.of("scores")]
            app.extension = .stub
            app.settings.scheduledDelivery = happening == .summary ? .enabled : .disabled
        }
        phone.change { $0.person = "maria" }
        phone.add(Self.tablet) { $0 = .with { $0.person = "maria" } }
        try prepare()
    }

    private func prepare() throws {
        switch happening {
        case .alert, .background: token = phone.registration(Phone.chat, .app)
        case .voip: token = phone.registration(Phone.chat + ".voip", .voip)
        case .widget:
            try phone.services { $0.widgets = [.of("w1", "scores")] }
            // An old iOS issues none by itself.
            token =
                phone.registrations.last { $0.kind == .widgets }
                ?? phone.registration(Phone.chat + PushType.widgets.topicSuffix, .widgets)
        case .activity:
            try phone.allowActivities()
            token = phone.registration(Phone.chat + PushType.liveactivity.topicSuffix, .pushtostart)
        case .local: try phone.schedule("timer", in: 60)
        case .summary: phone.alert()
        case .channel:
            _ = try phone.simulator.createChannel(Self.channel, policy: .mostRecent, at: phone.now)
            // Impossible on an old iOS.
            try? follow(on: Phone.name)
        case .donation, .reservation: break
        }
    }

    /// Starts an activity on the channel.
    func follow(on device: String) throws {
        try phone.startActivity(on: device) { $0.push = .channel(Self.channel.id) }
    }

    func count(on device: String) -> Int {
        phone.simulator.events(EventQuery(device: device, kinds: [happening.event], limit: .max)).items.count
    }

    // MARK: The condition

    func begin(_ condition: PairTests.Condition) throws {
        switch condition {
        case .advanced where happening == .local: break
        case .advanced: phone.wait(.seconds(3600))
        case .setBack: phone.setBack(by: 30_000)
        case .off: phone.change { $0.isPoweredOn = false }
        case .restarted: try phone.act(.restart)
        case .offline: phone.change { $0.isOnline = false }
        case .focus: phone.change { ($0.focus.modes, $0.focus.active) = ([FocusTests.work()], "work") }
        case .reset: phone.simulator.reset(keeping: [.devices, .apps])
        case .extending: phone.alert("Slow", #""mutable-content":1"#)
        case .uninstalled: try phone.act(.uninstall(app: Phone.chat))
        case .person, .oldOS: break
        }
    }

    func end(_ condition: PairTests.Condition) throws {
        switch condition {
        case .setBack: phone.wait(.seconds(30))
        case .off: phone.change { $0.isPoweredOn = true }
        case .offline: phone.change { $0.isOnline = true }
        case .focus: try phone.act(.switchFocus(id: nil))
        default: break
        }
        phone.simulator.finishBroadcasts()
    }

    // MARK: What happens

    /// Does nothing if it is impossible.
    func happen() {
        switch happening {
        case .alert: push(#"{"aps":{"alert":"Hello"}}"#, .alert)
        case .background: push(#"{"aps":{"content-available":1}}"#, .background)
        case .voip: push("{}", .voip)
        case .widget: push(#"{"aps":{"content-changed":true}}"#, .widgets)
        case .activity: push(ActivityTests.start, .liveactivity)
        case .local: phone.wait(.seconds(60))
        case .donation: _ = try? phone.donate(DonationTests.checkWeather("x", "1"), app: Phone.chat)
        case .reservation: _ = try? phone.book()
        case .summary: phone.wait(.seconds(9 * 3600))
        case .channel:
            let seconds = phone.now.milliseconds / 1000 + 60
            let payload = #"{"aps":{"event":"update","timestamp":\#(seconds),"content-state":{}}}"#
            _ = try? phone.simulator.broadcast(
                Broadcast(
                    Array(payload.utf8), on: Self.channel, uniqueID: APNsID(high: 0, low: 1), priority: .immediate,
                    expiration: .unspecified, receivedAt: phone.now))
        }
    }

    private func push(_ payload: String, _ type: PushType) {
        // APNs refuses pushes to other tokens.
        guard let token, phone.simulator.registration(of: token.token)?.status == .active else { return }
        phone.push(payload, to: token, type: type)
    }
}
