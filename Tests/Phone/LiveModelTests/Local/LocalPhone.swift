import DeviceModel
import JSON
import TestSupport
import Time

@testable import LiveModel

/// A device with local notifications only.
struct LocalPhone {
    static let app = "com.example.app"

    var schedule = LocalSchedule()
    var assumptions = Assumptions()
    var settings = NotificationSettings()
    private(set) var device = DeviceConditions()
    private(set) var now: Instant
    /// Identifiers by the text of the time they fired.
    private(set) var fired: [String] = []
    private(set) var events: [DeviceEffect] = []
    private(set) var inputs: [(LocalInput, Instant)] = []

    init(at time: String = "2027-01-15T08:00:00.000Z", timeZone: String = "UTC") {
        now = Instant(text: time)!
        device.timeZone = timeZone
    }

    private var context: DeviceContext {
        let settings = settings
        return DeviceContext(now: now, device: device, assumptions: assumptions) { bundleID in
            (App(bundleID: bundleID), settings, false)
        }
    }

    private mutating func take(_ effects: DeviceEffects) {
        events += effects.events
        for request in effects.requests {
            if case .present(let local) = request { fired.append("\(now.text) \(local.identifier)") }
        }
    }

    mutating func perform(_ input: LocalInput) throws(DeviceError) {
        var effects = DeviceEffects()
        try schedule.reduce(input, context, &effects)
        inputs.append((input, now))
        take(effects)
    }

    mutating func add(_ identifier: String, app: String = Self.app, _ trigger: LocalTrigger?) throws(DeviceError) {
        let content = NotificationContent.with { $0.body = identifier }
        try perform(.add(LocalRequest(app: app, identifier: identifier, content: content, trigger: trigger)))
    }

    mutating func advance(to time: String) { advance(to: Instant(text: time)!) }
    mutating func advance(seconds: Double) { advance(to: now.advanced(by: Int64(seconds * 1000))) }

    mutating func advance(to time: Instant) {
        while device.isPoweredOn, let due = schedule.due(after: now), due <= time {
            now = due
            performDue()
        }
        now = time
    }

    private mutating func performDue() {
        var effects = DeviceEffects()
        schedule.advance(context, &effects)
        take(effects)
    }

    mutating func change(_ edit: (inout DeviceConditions) -> Void) {
        let old = device
        edit(&device)
        var effects = DeviceEffects()
        schedule.conditionsChanged(from: old, context, &effects)
        take(effects)
        if !old.isPoweredOn, device.isPoweredOn { performDue() }
    }

    mutating func move(_ latitude: Double, _ longitude: Double) throws(DeviceError) {
        try perform(.move(to: .with { ($0.latitude, $0.longitude) = (latitude, longitude) }))
    }

    var pending: [String] { schedule.pending.map(\.request.identifier) }

    func next(_ identifier: String) -> String? {
        schedule.pending.first { $0.request.identifier == identifier }?.nextTriggerDate?.text
    }

    func details(of kind: DeviceEvent.Kind) -> [JSONValue] {
        events.filter { $0.kind == kind }.map { .object($0.details) }
    }

    func identifiers(of kind: DeviceEvent.Kind) -> [String] {
        events.filter { $0.kind == kind }.compactMap { event in
            if case .string(let text) = event.details["identifier"] { text } else { nil }
        }
    }
}

extension JSONValue {
    static func reading(_ text: String) -> Self { JSONValue(Array(text.utf8).span.bytes)! }
}

extension LocalTrigger {
    static func seconds(_ seconds: Double, repeats: Bool = false) -> Self {
        .interval(milliseconds: Int64(seconds * 1000), repeats: repeats)
    }

    static func date(repeats: Bool = false, _ edit: (inout DatePattern) -> Void) -> Self {
        .calendar(.with(edit), repeats: repeats)
    }

    /// A circle of 100 m around a place in Tokyo.
    static func office(
        repeats: Bool = false, _ identifier: String = "office", entry: Bool = true, exit: Bool = false
    ) -> Self {
        let region = Region.with {
            ($0.identifier, $0.latitude, $0.longitude, $0.radius) = (identifier, 35.68, 139.76, 100)
            ($0.notifyOnEntry, $0.notifyOnExit) = (entry, exit)
        }
        return .location(region, repeats: repeats)
    }
}
