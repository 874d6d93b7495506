internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON

/// How a device is to be, as a body says: read and checked as a whole before anything changes.
struct DeviceEdit: Sendable {
    /// What a body starts from.
    enum Kind: Sendable {
        /// From a device as it was made; what the body leaves out is as it is then, but for lists of their own.
        case replace
        /// From what the device is like.
        case merge
    }

    private let name: String
    private let conditions: DeviceConditions
    /// nil goes back to the app's own.
    private let settings: [(app: String, settings: NotificationSettings?)]
    /// nil leaves them alone.
    let registrations: [RegistrationDraft]?

    /// What else reading a device gives; ignored, so that it can be written back.
    static let ignored = [
        "createdAt", "notificationCount", "storedCount", "droppedCount", "eventCount", "counts",
    ]
    /// What else reading a device's app gives.
    static let ignoredOfApp = ["badgeCount", "prompt", "isTerminated", "categories"]

    static let fields = ["registrations", "apps", "name"] + DeviceConditions.fieldNames + ignored

    init(_ object: RequestObject, _ kind: Kind, of name: String, _ gateway: Gateway) throws(AdminError) {
        self.name = name
        if let other = try object.string("name"), other != name {
            throw .badRequest("'name' is '\(other.prefix(60))', but the path says '\(name)'; names do not change.")
        }
        let simulator = gateway.simulator
        let known = kind == .merge ? simulator.conditions(of: name) : nil
        var conditions = known ?? simulator.plainConditions
        try object.apply(to: &conditions)
        self.conditions = conditions
        settings = try Self.settings(object, kind, of: name, simulator)
        registrations = try Self.registrations(object, of: name, gateway)
    }

    func perform(_ gateway: Gateway, at now: Instant) throws(AdminError) {
        let simulator = gateway.simulator
        try simulated { () throws(SimulatorError) in
            try simulator.setConditions(conditions, of: name, at: now)
            for (app, settings) in settings { try simulator.setSettings(settings, of: app, on: name, at: now) }
        }
    }

    // MARK: Reading

    private static func settings(
        _ object: RequestObject, _ kind: Kind, of name: String, _ simulator: DeviceSimulator
    ) throws(AdminError) -> [(app: String, settings: NotificationSettings?)] {
        guard let members = try object.members("apps") else { return [] }
        let known = Dictionary(
            simulator.appsOnDevice(name).map { ($0.app.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        var edits: [(app: String, settings: NotificationSettings?)] = []
        for (bundleID, json) in members.sorted(by: { $0.key < $1.key }) {
            _ = try checkedTopic(bundleID, field: "apps")
            let app = known[bundleID]
            let own = simulator.app(bundleID)?.settings ?? NotificationSettings()
            var settings = (kind == .merge ? app?.settings : nil) ?? own
            if json != .null { try apply(json, of: bundleID, to: &settings) }
            let hasOwn = app?.hasOwnSettings ?? false
            if json == .null {
                if hasOwn { edits.append((bundleID, nil)) }
            } else if settings != app?.settings ?? own {
                edits.append((bundleID, settings))
            }
        }
        guard kind == .replace else { return edits }
        let others = known.values.filter { $0.hasOwnSettings && members[$0.app.bundleID] == nil }
        return edits + others.map { ($0.app.bundleID, nil) }.sorted { $0.0 < $1.0 }
    }

    private static func apply(
        _ json: JSONValue, of bundleID: String, to settings: inout NotificationSettings
    ) throws(AdminError) {
        var json = json
        if case .object(let members) = json {
            json = .object(members.filter { !ignoredOfApp.contains($0.key) })
        }
        do throws(FieldError) {
            try settings.apply(json, at: FieldPath().member("apps").member(bundleID))
        } catch {
            throw AdminError(error)
        }
    }

    private static func registrations(
        _ object: RequestObject, of name: String, _ gateway: Gateway
    ) throws(AdminError) -> [RegistrationDraft]? {
        guard let objects = try object.objects("registrations", accepting: RegistrationDraft.fields) else { return nil }
        var drafts: [RegistrationDraft] = []
        var tokens: Set<DeviceToken> = []
        for (index, object) in objects.enumerated() {
            let draft = try RegistrationDraft(object, gateway)
            try draft.check(on: name, gateway)
            if let token = draft.token, !tokens.insert(token).inserted {
                throw .badRequest("Duplicate 'registrations[\(index)].token'; every registration has its own.")
            }
            try draft.check(beside: drafts, on: name)
            drafts.append(draft)
        }
        // A given token is the active one, so none is derived beside it; the first derived one has no former ones before it.
        let active = drafts.filter { $0.status == .active }
        return active.filter { $0.token != nil } + active.filter { $0.token == nil }
            + drafts.filter { $0.status != .active }
    }
}
