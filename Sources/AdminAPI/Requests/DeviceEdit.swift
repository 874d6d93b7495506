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
    let registrations: [RegistrationEdit]?

    /// What else reading a device gives; ignored, so that it can be written back.
    static let ignored = [
        "createdAt", "notificationCount", "storedCount", "droppedCount", "eventCount", "counts",
    ]
    /// What else reading a device's app gives.
    static let ignoredOfApp = ["badgeCount", "prompt", "isTerminated", "categories"]

    init(_ members: JSONObject, _ kind: Kind, of name: String, _ gateway: Gateway) throws {
        self.name = name
        let simulator = gateway.simulator
        let known = kind == .merge ? simulator.conditions(of: name) : nil
        var conditions = known ?? simulator.plainConditions
        try conditions.apply(.object(members), besides: ["registrations", "apps", "name"] + Self.ignored)
        self.conditions = conditions
        let body = MemberReader(.object(members), refusesNull: true)
        let givenName = body.value("name", .text)
        let apps = body.object("apps")?.members
        let registrations = body.value("registrations", .list(.anyObject))
        try body.finish()
        if let other = givenName, other != name {
            throw AdminError.badRequest(
                "'name' is '\(other.prefix(60))', but the path says '\(name)'; names do not change.")
        }
        settings = try apps.map { try Self.settings($0, kind, of: name, simulator) } ?? []
        self.registrations = try registrations.map { try Self.registrations($0, of: name, gateway) }
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
        _ members: JSONObject, _ kind: Kind, of name: String, _ simulator: DeviceSimulator
    ) throws -> [(app: String, settings: NotificationSettings?)] {
        let known = Dictionary(
            simulator.appsOnDevice(name).map { ($0.app.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        var edits: [(app: String, settings: NotificationSettings?)] = []
        for (bundleID, json) in members.sorted(by: { $0.key < $1.key }) {
            _ = try FieldFormat<String>.topic.value(of: bundleID, at: "apps")
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
    ) throws(FieldError) {
        try settings.apply(json, besides: ignoredOfApp, at: FieldPath().member("apps").member(bundleID))
    }

    private static func registrations(
        _ list: [JSONValue], of name: String, _ gateway: Gateway
    ) throws -> [RegistrationEdit] {
        var edits: [RegistrationEdit] = []
        var tokens: Set<DeviceToken> = []
        var check = RegistrationCheck(gateway.simulator)
        for (index, json) in list.enumerated() {
            let path = FieldPath().member("registrations").element(index)
            try json.refuseNull(at: path)
            let edit = try RegistrationEdit(json, at: path)
            if let token = edit.draft.token {
                guard tokens.insert(token).inserted else {
                    throw AdminError.badRequest(
                        "Duplicate 'registrations[\(index)].token'; every registration has its own.")
                }
                let use = edit.use(on: name, gateway)
                try simulated { () throws(SimulatorError) in
                    try check.add(token, for: use, isActive: edit.status == .active)
                }
            }
            edits.append(edit)
        }
        // A given token is the active one, so none is derived beside it; the first derived one has no former ones before it.
        let active = edits.filter { $0.status == .active }
        return active.filter { $0.draft.token != nil } + active.filter { $0.draft.token == nil }
            + edits.filter { $0.status != .active }
    }
}
