import APNs
import DeviceModel
import Fields
import JSON
import TestSupport
import Time

@testable import LiveModel

/// The device of the test vectors: a locked phone with a Dynamic Island, the app `com.ex.app`, its type `Delivery`; t0 is
/// 1,800,000,000 (live.md L6). Plays the store: it issues tokens.
struct Phone {
    static let t0 = 1_800_000_000.0
    static let app = "com.ex.app"

    var table = ActivityTable()
    var device = DeviceConditions()
    var assumptions = Assumptions()
    var apps: [String: App] = [:]
    var channels: Set<String>?
    var now = Instant(seconds: Phone.t0)
    var events: [DeviceEffect] = []
    var requests: [DeviceRequest] = []
    private var tokenCount: UInt8 = 0
    private var pushCount: UInt64 = 0

    init(setting: LiveSettings.Setting = .always) throws {
        var app = App(bundleID: Phone.app)
        try app.apply(
            [
                "liveActivities": [
                    "types": .array([
                        [
                            "name": .string("Delivery"), "attributes": ["orderId": .string("String")],
                            "contentState": ["eta": .string("Date"), "step": .string("Int")],
                            "template": [
                                "title": .string("Order {orderId}"),
                                "lines": .strings(["Step {step}", "At {eta}"]),
                            ],
                        ]
                    ])
                ]
            ])
        apps[Phone.app] = app
        if setting != .undecided {
            try act(.settings(app: Phone.app, .with { $0.setting = setting }))
        }
        events = []
    }

    /// One with an activity.
    static func started() throws -> Phone {
        var phone = try Phone()
        phone.start()
        return phone
    }

    var context: DeviceContext {
        let (apps, channels) = (apps, channels)
        return DeviceContext(
            now: now, device: device, assumptions: assumptions, deviceName: "phone",
            isChannel: { channels?.contains($0.id) ?? true },
            findApp: { (apps[$0] ?? App(bundleID: $0), NotificationSettings(), false) })
    }

    /// A start by the app.
    static func appStart(_ edit: (inout ActivityStart) -> Void = { _ in }) -> ActivityStart {
        .with {
            ($0.bundleID, $0.type, $0.attributes) = (app, "Delivery", ["orderId": .string("8")])
            $0.content = ["eta": .integer(0), "step": .integer(1)]
            edit(&$0)
        }
    }

    private mutating func finish(_ effects: DeviceEffects) {
        events += effects.events
        requests += effects.requests
        for case .issue(let use) in effects.requests {
            tokenCount += 1
            let token = DeviceToken(bytes: [UInt8](repeating: tokenCount, count: 80))!
            var details = table.take(token, for: use)
            details["kind"] = .string(use.kind.rawValue)
            var issued = DeviceEffects()
            issued.emit(.tokenIssued, app: use.bundleID, details)
            events += issued.events
        }
    }

    mutating func act(_ input: ActivityInput) throws {
        var effects = DeviceEffects()
        try table.reduce(input, context, &effects)
        finish(effects)
    }

    /// Advances the clock to seconds after t0, stopping at every due time.
    mutating func advance(to seconds: Double) {
        let target = Instant(seconds: Phone.t0 + seconds)
        while let due = table.due(after: now), due <= target {
            now = due
            var effects = DeviceEffects()
            table.advance(context, &effects)
            finish(effects)
        }
        now = target
    }

    @discardableResult
    mutating func push(
        _ aps: String, to address: ActivityAddress, bundleID: String = Phone.app, priority: Priority = .immediate
    ) -> ActivityDecision {
        pushCount += 1
        let payload = Array(#"{"aps":\#(aps)}"#.utf8)
        var effects = DeviceEffects()
        let decision = table.receive(
            ActivityPush(
                ActivityMessage(payload: payload.span.bytes), to: address, bundleID: bundleID, environment: .sandbox,
                priority: priority, id: "push-\(pushCount)", sequence: pushCount), context, &effects)
        finish(effects)
        return decision
    }

    static let cs1 = #"{"eta":821692800,"step":1}"#

    /// L-1 with other members.
    @discardableResult
    mutating func start(
        at seconds: Double = 0, type: String = "Delivery", state: String = cs1,
        alert: String? = #"{"title":"On its way","body":"Soon","sound":"default"}"#, more: String = "",
        bundleID: String = Phone.app
    ) -> ActivityDecision {
        let alert = alert.map { #","alert":\#($0)"# } ?? ""
        return push(
            #"{"event":"start","timestamp":\#(Int(Phone.t0 + seconds)),"attributes-type":"\#(type)","#
                + #""attributes":{"orderId":"7"},"content-state":\#(state)\#(alert)\#(more)}"#,
            to: .pushToStart(isStale: false, type: nil), bundleID: bundleID)
    }

    @discardableResult
    mutating func update(
        at seconds: Double, _ event: String = "update", state: String? = #"{"eta":821692800,"step":2}"#,
        more: String = "", of id: String? = nil, priority: Priority = .immediate
    ) -> ActivityDecision {
        let content = state.map { #","content-state":\#($0)"# } ?? ""
        return push(
            #"{"event":"\#(event)","timestamp":\#(Int(Phone.t0 + seconds))\#(content)\#(more)}"#,
            to: .activity(id ?? table.activities[0].id), priority: priority)
    }

    var first: LiveActivity { table.activities[0] }
    var kinds: [DeviceEvent.Kind] { events.map(\.kind) }

    var step: JSONValue? { first.content["step"] }

    func details(of kind: DeviceEvent.Kind) -> JSONObject? { events.last { $0.kind == kind }?.details }

    mutating func deny() { try? act(.settings(app: Phone.app, .with { $0.setting = .denied })) }

    mutating func unlock(in app: String?) {
        device.isLocked = false
        device.isScreenOn = true
        device.foregroundApp = app
    }
}
