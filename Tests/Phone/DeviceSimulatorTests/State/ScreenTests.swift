import APNs
import DeviceModel
import LiveModel
import Testing

@testable import DeviceSimulator

/// What a device shows, what its apps read of it, and which apps it has.
@Suite struct ScreenTests {
    @Test("a screen that is read while acts change the device shows one moment") func showsOneMoment() async throws {
        let phone = Phone { ($0.showsActivitiesWhenLocked, $0.isLocked) = (false, false) }
        for number in 0..<100 { phone.alert("\(number)") }
        try phone.allowActivities()
        phone.pushStart()
        try phone.act(.terminate(app: Phone.chat))
        #expect(phone.screen.activities.lockScreen.count == 1 && !Self.isTorn(phone.screen))
        let (simulator, now) = (phone.simulator, phone.now)
        let failures = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { (0..<200).count { _ in Self.isTorn(simulator.screen(of: Phone.name, at: now)!) } }
            }
            group.addTask {
                let acts: [DeviceAct] = [.open(app: Phone.chat), .terminate(app: Phone.chat), .lock, .unlock]
                return (0..<2000).count { (try? simulator.perform(acts[$0 % 4], on: Phone.name, at: now)) == nil }
            }
            return await group.reduce(0, +)
        }
        #expect(failures == 0)
    }

    /// Opening and terminating the app change the conditions and the app; locking changes the conditions and activities.
    private static func isTorn(_ screen: Screen) -> Bool {
        let isTerminated = screen.apps.first { $0.app.bundleID == Phone.chat }?.isTerminated
        return isTerminated != (screen.conditions.foregroundApp != Phone.chat)
            || screen.activities.lockScreen.map(\.isGreyed) != [screen.conditions.isLocked]
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isDelivered: Bool
        let edit: @Sendable (inout Assumptions, inout DeviceConditions, inout NotificationSettings) -> Void

        init(
            _ description: String, _ isDelivered: Bool,
            _ edit: @escaping @Sendable (inout Assumptions, inout DeviceConditions, inout NotificationSettings) -> Void
        ) { (testDescription, self.isDelivered, self.edit) = (description, isDelivered, edit) }
    }

    static let rows = [
        Row("on the lock screen and in Notification Center", true) { _, _, _ in },
        Row("in Notification Center only", true) { $2.lockScreen = .disabled },
        Row("on the lock screen only", false) { $2.notificationCenter = .disabled },
        Row("silenced", true) { _, device, _ in silence(&device) },
        Row("silenced, which the list omits", false) { assumptions, device, _ in
            silence(&device)
            assumptions.deliveredListsSilenced = false
        },
        Row("silenced and withheld everywhere", false) { _, device, settings in
            silence(&device)
            settings.notificationCenter = .disabled
        },
        Row("waiting for the summary", false) { summarize(&$1, &$2) },
        Row("waiting for the summary, which the list includes", true) {
            summarize(&$1, &$2)
            $0.deliveredListsDeferred = true
        },
    ]

    private static func silence(_ device: inout DeviceConditions) {
        device.focus.modes = [FocusTests.work()]
        device.focus.active = "work"
    }

    private static func summarize(_ device: inout DeviceConditions, _ settings: inout NotificationSettings) {
        device.summary.isEnabled = true
        settings.scheduledDelivery = .enabled
    }

    @Test("I.6 an app can remove exactly what its list of delivered notifications has", arguments: rows)
    func delivers(_ row: Row) throws {
        var (assumptions, device, settings) = (Assumptions(), DeviceConditions(), NotificationSettings())
        row.edit(&assumptions, &device, &settings)
        let phone = Phone(assumptions: assumptions) { [device] in
            $0 = device
        } app: { [settings] in
            $0.settings = settings
        }
        let push = phone.alert("Hello", collapse: "named")
        #expect(phone.screen.delivered(to: Phone.chat).map(\.sequence) == (row.isDelivered ? [push] : []))
        #expect(phone.screen.delivered(to: "com.example.other").isEmpty)
        try phone.act(.removeDelivered(identifiers: ["named"], app: Phone.chat))
        #expect(phone.simulator.notification(push)?.places.isPresent == !row.isDelivered)
        try phone.act(.removeAllDelivered(app: Phone.chat))
        #expect(phone.simulator.notification(push)?.places.isPresent == !row.isDelivered)
    }

    @Test(
        "an app is on the device, for acts as for Siri, until it is uninstalled, whatever its token's status",
        arguments: RegistrationStatus.Kind.allCases)
    func hasApps(_ status: RegistrationStatus.Kind) throws {
        let phone = Phone()
        let app = "com.example.other"
        phone.simulator.setStatus(status, of: phone.registration(app, .app).token, at: phone.now)
        for isInstalled in [true, false] {
            if !isInstalled { try phone.act(.uninstall(app: app)) }
            #expect(phone.simulator.withSiri(of: Phone.name, at: phone.now) { $1.isInstalled(app) } == isInstalled)
            #expect(phone.state.liveContext(at: phone.moment()).isInstalled(app) == isInstalled)
            #expect(phone.simulator.appsOnDevice(Phone.name).contains { $0.app.bundleID == app })
            if isInstalled { try phone.act(.open(app: app)) }
        }
        #expect(throws: SimulatorError.noSuchApp(app, known: [])) { try phone.act(.open(app: app)) }
    }
}
