import APNs
import DeviceModel
import JSON
import Time

@testable import LiveModel

/// A device with one app, its services, and a clock.
struct ServiceFixture {
    static let app = "com.example.app"

    var table = ServiceTable()
    var app = App(bundleID: ServiceFixture.app, entitlements: [Entitlement.locationPush.rawValue])
    var device = DeviceConditions()
    var assumptions = Assumptions()
    var isTerminated = false
    /// Of the pushes, in milliseconds.
    var age: Int64 = 0
    var now = Instant(milliseconds: 1_800_000_000_000)
    var effects = DeviceEffects()
    var pushCount: UInt64 = 0

    init(_ declare: (inout App) -> Void = { _ in }) { declare(&app) }

    var context: DeviceContext {
        let (app, isTerminated) = (app, isTerminated)
        return DeviceContext(now: now, device: device, assumptions: assumptions) { name in
            (name == app.bundleID ? app : App(bundleID: name), NotificationSettings(), isTerminated)
        }
    }

    /// Unlocks the device with the app in front.
    mutating func open(_ app: String) {
        (device.isLocked, device.isScreenOn, device.foregroundApp) = (false, true, app)
    }

    var settings: ServiceSettings { table[Self.app].settings }
    var voip: VoIPState { table[Self.app].voip }

    mutating func set(_ app: String = ServiceFixture.app, _ edit: (inout ServiceSettings) -> Void) throws(DeviceError) {
        var settings = table[app].settings
        edit(&settings)
        try table.reduce(.settings(settings, app: app, environment: .sandbox), context, &effects)
    }

    mutating func reply(_ edit: (inout ServiceReplies) -> Void) {
        var replies = table[Self.app].replies
        edit(&replies)
        try! table.reduce(.replies(replies, app: Self.app), context, &effects)
    }

    /// Returns what the device did: the outcome, and the events after the push's own.
    mutating func push(
        _ kind: PushType, _ payload: String = "{}", subject: String? = nil, isOverBudget: Bool = false
    ) -> (verdict: ServiceVerdict?, reason: DiscardReason?, events: [DeviceEffect]) {
        pushCount += 1
        guard table.governs(kind, of: app) else { return (nil, nil, []) }
        var push = ServicePush(
            kind, bundleID: Self.app, environment: .sandbox, notification: pushCount, subject: subject)
        push.isOverBudget = isOverBudget
        push.age = age
        push.payload = JSONValue(Array(payload.utf8).span.bytes)
        let before = effects.events.count
        guard let result = table.decide(push, context) else { return (nil, nil, []) }
        table.apply(result, of: push, context, &effects)
        return (result.verdict, result.verdict.discardReason, Array(effects.events[before...]))
    }

    /// Advances the clock and returns the events.
    mutating func wait(_ milliseconds: Int64) -> [DeviceEffect] {
        let before = effects.events.count
        let end = now.advanced(by: milliseconds)
        while let due = table.due(after: now), due <= end {
            now = due
            table.advance(context, &effects)
        }
        now = end
        return Array(effects.events[before...])
    }

    /// Requests to the token store since the last call.
    mutating func requests() -> [DeviceRequest] {
        defer { effects.requests = [] }
        return effects.requests
    }

    func use(_ kind: TokenKind, _ subject: String? = nil) -> TokenUse {
        TokenUse(kind, bundleID: Self.app, environment: .sandbox, subject: subject)
    }
}

extension DeviceEffect {
    func text(_ name: String) -> String? { if case .string(let text)? = details[name] { text } else { nil } }
}

extension PushSurface {
    init(_ kind: String, push: Bool = true) {
        self.init()
        (self.kind, self.push) = (kind, push)
    }
}

extension PlacedSurface {
    init(_ id: String, _ kind: String) {
        self.init()
        (self.id, self.kind) = (id, kind)
    }
}
