import APNs
import DeviceModel
import JSON
import LiveModel
import RequestWire
import SiriModel
import Synchronization
import TestSupport
import Time

@testable import DeviceSimulator

/// One device with a chat app, on a manual clock.
final class Phone {
    static let chat = "com.example.chat"
    static let name = "Phone"

    let simulator: DeviceSimulator
    /// Monday, 2026-01-05T00:00:00Z at first.
    private(set) var now = Instant.at(0)
    private var pushCount: UInt64 = 0

    /// Makes a locked phone with the screen off, whose app has every permission.
    init(
        assumptions: Assumptions = Assumptions(), _ edit: (inout DeviceConditions) -> Void = { _ in },
        app: (inout App) -> Void = { _ in }
    ) {
        let conditions = DeviceConditions.with(edit)
        simulator = DeviceSimulator(assumptions: assumptions, conditions: conditions) { request in
            var generator = LinearGenerator(state: request.seed.reduce(7) { $0 &* 31 &+ UInt64($1) })
            return .numbered(Int(truncatingIfNeeded: generator.next()), byteCount: request.byteCount)
        }
        var chat = App(bundleID: Self.chat, entitlements: Entitlement.allCases.map(\.rawValue))
        app(&chat)
        simulator.put(chat)
        _ = try! simulator.addDevice(named: Self.name, at: now)
    }

    /// Makes one at 09:00 whose app waits for the summaries at 08:00 and 18:00.
    static func withSummary(_ edit: (inout DeviceConditions) -> Void = { _ in }) -> Phone {
        let phone = Phone(
            {
                $0.summary.isEnabled = true
                edit(&$0)
            }, app: { $0.settings.scheduledDelivery = .enabled })
        phone.wait(until: "09:00")
        return phone
    }

    func registration(_ topic: String, _ kind: TokenKind) -> Registration {
        try! simulator.register(device: Self.name, topic: topic, environment: .sandbox, kind: kind, at: now)
    }

    /// Delivers an alert with more members of `aps`, and returns its number.
    @discardableResult
    func alert(
        _ text: String = "Hello", _ more: String = "", app: String = chat, priority: Priority = .immediate,
        expiration: Expiration = .unspecified, collapse: String? = nil
    ) -> UInt64 {
        push(
            #"{"aps":{"alert":"\#(text)","sound":"default"\#(more.isEmpty ? "" : ",")\#(more)}}"#, topic: app,
            priority: priority, expiration: expiration, collapse: collapse)
    }

    /// Delivers a push that wakes the app, and returns its number.
    @discardableResult
    func background(
        app: String = chat, priority: Priority = .powerConserving, expiration: Expiration = .unspecified
    ) -> UInt64 {
        push(
            #"{"aps":{"content-available":1}}"#, topic: app, type: .background, priority: priority,
            expiration: expiration)
    }

    @discardableResult
    func push(
        _ payload: String, topic: String = chat, type: PushType? = .alert, kind: TokenKind = .app,
        priority: Priority = .immediate, expiration: Expiration = .unspecified, collapse: String? = nil,
        lateBy: Int64 = 0
    ) -> UInt64 {
        push(
            payload, to: registration(topic, kind), type: type, priority: priority, expiration: expiration,
            collapse: collapse, lateBy: lateBy)
    }

    @discardableResult
    func push(
        _ payload: String, to registration: Registration, type: PushType?, priority: Priority = .immediate,
        expiration: Expiration = .unspecified, collapse: String? = nil, lateBy: Int64 = 0
    ) -> UInt64 {
        pushCount += 1
        var fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(registration.token.hex)"),
            ("apns-topic", registration.topic),
        ]
        if let collapse { fields.append(("apns-collapse-id", collapse)) }
        let request = RequestBlock(fields: fields.map { ($0, $1) }, body: Array(payload.utf8))
        let push = Push.make(
            request, token: registration.token,
            PushFacts(
                apnsID: APNsID(high: 0, low: pushCount), uniqueID: APNsID(high: 1, low: pushCount),
                environment: .sandbox, pushType: type, priority: priority, expiration: expiration,
                receivedAt: now.advanced(by: -lateBy), connection: 1))
        let sequence = simulator.receive(push, for: registration)
        // Effects of a late push may be due already.
        if lateBy > 0 { simulator.advance(to: now) }
        return sequence
    }

    /// Finishes a push's service extension; false if the push is not waiting for it.
    @discardableResult
    func finishExtension(_ run: ExtensionRun, of notification: UInt64, _ bundleID: String = chat) -> Bool {
        let request = ExtensionRequest(
            notification: notification, device: Self.name, identifier: "", content: NotificationContent(), payload: [],
            app: app(bundleID).app, at: now, generation: simulator.store.withLock { $0.generation })
        return simulator.finishExtension(run, of: request, at: now)
    }

    /// The service extension answers; false if the push is not waiting for it.
    @discardableResult
    func answer(_ notification: UInt64, _ edit: (inout NotificationContent) -> Void) -> Bool {
        finishExtension(.answer(at: now, edit), of: notification)
    }

    @discardableResult
    func perform(_ input: DeviceInput) throws(SimulatorError) -> [DeviceEvent] {
        try simulator.perform(input, on: Self.name, at: now)
    }

    @discardableResult
    func act(_ act: DeviceAct) throws(SimulatorError) -> [DeviceEvent] {
        try simulator.perform(act, on: Self.name, at: now)
    }

    /// Changes a device's conditions.
    @discardableResult
    func change(_ device: String = name, _ edit: (inout DeviceConditions) -> Void) -> [DeviceEvent] {
        var conditions = simulator.conditions(of: device)!
        edit(&conditions)
        return try! simulator.perform(.conditions(conditions), on: device, at: now)
    }

    /// Adds another device.
    func add(_ device: String, _ edit: (inout DeviceConditions) -> Void = { _ in }) {
        _ = try! simulator.addDevice(named: device, at: now)
        change(device, edit)
    }

    /// Changes an app's settings on the phone.
    @discardableResult
    func settings(_ app: String = chat, _ edit: (inout NotificationSettings) -> Void) -> [DeviceEvent] {
        var settings = self.app(app).settings
        edit(&settings)
        return try! perform(.settings(settings, app: app))
    }

    /// Lets the app's activities get tokens.
    func allowActivities() throws(SimulatorError) {
        try perform(.activity(.settings(app: Self.chat, .with { $0.setting = .always })))
    }

    /// Starts an activity by a push.
    @discardableResult
    func pushStart(_ payload: String = ActivityTests.start) -> UInt64 {
        push(payload, topic: Self.chat + PushType.liveactivity.topicSuffix, type: .liveactivity, kind: .pushtostart)
    }

    /// The app starts an activity.
    func startActivity(
        on device: String = name, _ edit: (inout ActivityStart) -> Void = { _ in }
    ) throws(SimulatorError) {
        var start = ActivityStart.with { ($0.bundleID, $0.type, $0.isIntent) = (Self.chat, "Ride", true) }
        edit(&start)
        try simulator.perform(.activity(.start(start)), on: device, at: now)
    }

    /// A device gets a reservation of a table.
    @discardableResult
    func book(
        on device: String = name, from source: ReservationSource = .mail, _ edit: (inout Reservation) -> Void = { _ in }
    ) throws -> [DeviceEvent] {
        var table = try Reservation.table()
        edit(&table)
        return try simulator.perform(.calendar(.markup(ReservationDonation([table]), source)), on: device, at: now)
    }

    /// Deletes notifications.
    func clear(_ notifications: [UInt64]) { _ = simulator.store.withLock { $0.clear(notifications) } }

    /// Advances the clock and applies due events.
    func wait(_ duration: Duration) {
        now = now.advanced(by: duration)
        simulator.advance(to: now)
    }

    /// Sets the clock back, as a reset does.
    func setBack(by milliseconds: Int64) {
        let former = now
        now = now.advanced(by: -milliseconds)
        simulator.setBack(from: former, to: now)
    }

    /// Waits until a time of the first day, in UTC.
    func wait(until time: String, day: Int64 = 0) {
        let time = WallTime(text: time)!
        let then = Instant.at(day * .day + Int64(time.hour * 60 + time.minute) * 60_000)
        wait(then.since(now))
    }

    // MARK: Reading

    func app(_ bundleID: String = chat) -> AppOnDevice {
        simulator.appsOnDevice(Self.name).first { $0.app.bundleID == bundleID }
            ?? AppOnDevice(bundleID, state, simulator.store.withLock { $0.catalog })
    }

    /// Valid until the next input.
    func moment(at time: Instant? = nil) -> Moment {
        let time = time ?? now
        return simulator.store.withLock { $0.moment(of: $0.devices[Self.name]!, at: time) }
    }

    var registrations: [Registration] { simulator.device(named: Self.name)?.registrations ?? [] }

    var state: DeviceState { simulator.store.withLock { $0.devices[Self.name]!.state } }
    var screen: Screen { simulator.screen(of: Self.name, at: now)! }
    var lockScreen: [UInt64] { screen.lockScreen.map(\.sequence) }
    var notificationCenter: [UInt64] { screen.notificationCenter.map(\.sequence) }
    var nextSummary: [UInt64] { screen.nextSummary.map(\.sequence) }

    func state(of notification: UInt64) -> DeliveryState? { simulator.notification(notification)?.state }

    /// The events so far.
    func events(_ kinds: DeviceEvent.Kind..., of notification: UInt64? = nil) -> [DeviceEvent] {
        simulator.events(EventQuery(device: Self.name, kinds: kinds, notification: notification, limit: .max)).items
    }

    /// The kinds of a notification's events.
    func story(_ notification: UInt64) -> [DeviceEvent.Kind] { events(of: notification).map(\.kind) }
}

extension ExtensionRun {
    /// One that answers at once.
    static func answer(at now: Instant, _ edit: (inout NotificationContent) -> Void) -> Self {
        var run = Self(.answered, startedAt: now, endedAt: now)
        (run.answer, run.answerSource) = (.with(edit), .handler)
        return run
    }
}

extension DeviceConditions {
    /// Switches a Focus "work" on.
    mutating func startWork() { (focus.modes, focus.active) = ([FocusTests.work()], "work") }
}

extension DeviceState {
    /// The notifications whose service extensions have not answered yet, by number.
    var asked: [UInt64] { extending.map(\.arrival.sequence).filter { extended[$0]?.record == nil }.sorted() }
}

extension DeviceEvent {
    /// A detail that is a text.
    func text(_ key: String) -> String? { if case .string(let text) = details[key] { text } else { nil } }

    /// A detail that is a number.
    func number(_ key: String) -> Int? { if case .integer(let number) = details[key] { Int(number) } else { nil } }

    /// A detail that is a list of numbers.
    func numbers(_ key: String) -> [Int] {
        guard case .array(let values) = details[key] else { return [] }
        return values.compactMap { if case .integer(let number) = $0 { Int(number) } else { nil } }
    }
}

extension ServiceExtension {
    /// A definition without a running process.
    static var stub: ServiceExtension { .with { $0.command = ["extension"] } }
}

extension DeviceSimulator {
    func reset(keeping scope: ResetScope = []) { reset(keeping: scope, at: .at(0)) }
}
