internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Synchronization
internal import Time

extension AdminAPI {
    var deviceEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices", .devices, "Devices, ordered by name", id: "devices",
                answer: "A page of devices; the last page has no `next`.", query: ["prefix", "limit", "cursor"]
            ) { request in
                let (prefix, cursor, limit) = (request.query["prefix"], request.query["cursor"], try request.limit())
                let page = gateway.simulator.devicePage(after: cursor, prefix: prefix ?? "", limit: limit)
                return DevicesAnswer(
                    devices: page.devices.map { DeviceAnswer($0) }, next: page.next, total: page.total)
            },
            Endpoint(
                .get, "/devices/{name}", .devices, "One device", id: "device",
                answers: [.ok("The device.", "Device")], errors: [404]
            ) { request in try answer(try request.deviceName()) },
            Endpoint(
                .put, "/devices/{name}", .devices, "Create a device, or reset one, and apply the body",
                id: "putDevice",
                about: """
                    A reset restores the conditions of a new device. `registrations` become the active ones, and apps
                    missing from `apps` get their own settings again; if `registrations` or `apps` is absent, it stays
                    unchanged. Two active tokens for one topic, environment and kind are rejected. If anything is
                    invalid, nothing changes.
                    """,
                body: .optional("DeviceEdit"),
                answers: [.ok("The device.", "Device"), .created("The device.", "Device")], errors: [409], putDevice),
            Endpoint(
                .patch, "/devices/{name}", .devices, "Change the members in the body", id: "patchDevice",
                about: """
                    Merges objects, replaces lists, restores a default for `null`, and adds `registrations`. If
                    anything is invalid, nothing changes.
                    """,
                body: .optional("DeviceEdit"), answers: [.ok("The device.", "Device")], errors: [404, 409]
            ) { request in
                let name = try device(request).name
                let members = try await request.members()
                try edits.perform {
                    let edit = try DeviceEdit(members, .merge, of: name, gateway)
                    let now = gateway.now()
                    try edit.perform(gateway, at: now)
                    for registration in edit.registrations ?? [] {
                        _ = try registration.register(on: name, gateway, at: now)
                    }
                }
                return try answer(name)
            },
            Endpoint(
                .delete, "/devices/{name}", .devices, "Delete a device with its tokens and notifications",
                id: "deleteDevice", answers: [.removed]
            ) { request in
                defer { gateway.cancelForgottenExtensions() }
                return Response(removed: gateway.simulator.deleteDevice(named: try request.deviceName()))
            },
        ]
    }

    private func putDevice(_ request: AdminRequest) async throws -> Response {
        let name = try request.deviceName()
        let members = try await request.members()
        let isKnown = try edits.perform {
            let edit = try DeviceEdit(members, .replace, of: name, gateway)
            let isKnown = gateway.simulator.device(named: name) != nil
            let now = gateway.now()
            try gateway.simulator.addDevice(named: name, at: now)
            try edit.perform(gateway, at: now)
            guard let registrations = edit.registrations else { return isKnown }
            let tokens = try registrations.map { try $0.register(on: name, gateway, at: now).token }
            for registration in gateway.simulator.device(named: name)?.registrations ?? []
            where registration.status == .active && !tokens.contains(registration.token) {
                gateway.simulator.setStatus(.unregistered, of: registration.token, at: now)
            }
            return isKnown
        }
        return try answer(name, status: isKnown ? .ok : .created)
    }

    private func answer(_ name: String, status: HTTPResponse.Status = .ok) throws(AdminError) -> Response {
        let device = try gateway.device(named: name)
        let conditions = gateway.simulator.conditions(of: name) ?? gateway.simulator.plainConditions
        let apps = gateway.simulator.appsOnDevice(name)
        return Response(
            json: JSONValue(DeviceAnswer(device)).adding(conditions.json).adding([
                "apps": .object(
                    JSONObject(
                        apps.map { ($0.app.bundleID, $0.settings.json.adding(JSONValue(AppOnDeviceAnswer($0)))) }))
            ]), status: status)
    }
}

extension AdminAPI {
    /// The device in the path.
    func device(_ request: AdminRequest) throws(AdminError) -> DeviceSummary {
        try gateway.device(named: try request.deviceName())
    }
}

extension Gateway {
    func device(named name: String) throws(AdminError) -> DeviceSummary {
        try simulator.device(named: name).found(
            or: "There is no device '\(name.prefix(128))'; create it with PUT /api/v1/devices/{name}.")
    }
}

/// One edit at a time: each reads what the device has and writes it back with its changes.
final class DeviceEdits: Sendable {
    private let turn = Mutex(())

    func perform<Result: Sendable>(_ edit: () throws -> Result) throws -> Result {
        try turn.withLock { _ in try edit() }
    }
}

/// A device in a request body, read and checked as a whole before anything changes.
struct DeviceEdit: Sendable {
    enum Kind: Sendable {
        /// Starts from a new device; an omitted `registrations` or `apps` changes nothing.
        case replace
        case merge
    }

    private let name: String
    private let conditions: DeviceConditions
    /// nil restores the app's own settings.
    private let settings: [(app: String, settings: NotificationSettings?)]
    /// nil changes none.
    let registrations: [RegistrationEdit]?

    /// Read-only members, ignored so that a client can send a response back.
    static let ignored = [
        "createdAt", "notificationCount", "storedCount", "droppedCount", "eventCount", "counts",
    ]
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
        try checkApps(gateway)
    }

    /// An app that was uninstalled has no settings until it is registered again.
    private func checkApps(_ gateway: Gateway) throws(AdminError) {
        let uses = (registrations ?? []).filter { $0.status == .active }.map { $0.use(on: name, gateway).bundleID }
        for (app, settings) in settings
        where settings != nil && !uses.contains(app) && gateway.simulator.hasUninstalled(app, on: name) {
            throw .conflict(
                "'apps.\(app)': the app was uninstalled from device '\(name)'; register it first, in 'registrations' or "
                    + "with POST /api/v1/devices/{name}/registrations.")
        }
    }

    func perform(_ gateway: Gateway, at now: Instant) throws {
        // An app must be on the device to be in the foreground.
        for registration in registrations ?? []
        where registration.status == .active && registration.use(on: name, gateway).bundleID == conditions.foregroundApp
        {
            _ = try registration.register(on: name, gateway, at: now)
        }
        let simulator = gateway.simulator
        try simulator.check(.conditions(conditions), on: name)
        // Settings first: new conditions may deliver stored pushes.
        for (app, settings) in settings {
            try simulator.perform(.settings(settings, app: app), on: name, at: now)
        }
        try simulator.perform(.conditions(conditions), on: name, at: now)
    }

    /// Of apps on a new device.
    static func newSettings(
        _ apps: JSONObject, _ simulator: DeviceSimulator, at path: FieldPath
    ) throws(FieldError) -> [String: NotificationSettings] {
        var all: [String: NotificationSettings] = [:]
        for (bundleID, json) in apps.sorted(by: { $0.key < $1.key }) where json != .null {
            _ = try FieldFormat<String>.topic.value(of: bundleID, at: "\(path).apps")
            let own = simulator.app(bundleID)?.settings ?? NotificationSettings()
            all[bundleID] = try own.changed(by: json, own: own, at: path.member("apps").member(bundleID))
        }
        return all
    }

    private static func settings(
        _ members: JSONObject, _ kind: Kind, of name: String, _ simulator: DeviceSimulator
    ) throws -> [(app: String, settings: NotificationSettings?)] {
        let known = Dictionary(
            simulator.appsOnDevice(name).map { ($0.app.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
        var edits: [(app: String, settings: NotificationSettings?)] = []
        for (bundleID, json) in members.sorted(by: { $0.key < $1.key }) {
            _ = try FieldFormat<String>.topic.value(of: bundleID, at: "apps")
            guard json != .null else {
                if known[bundleID]?.hasOwnSettings == true { edits.append((bundleID, nil)) }
                continue
            }
            let own = simulator.app(bundleID)?.settings ?? NotificationSettings()
            let current = known[bundleID]?.settings ?? own
            let settings = try (kind == .merge ? current : own).changed(
                by: json, own: own, at: FieldPath().member("apps").member(bundleID))
            if settings != current { edits.append((bundleID, settings)) }
        }
        guard kind == .replace else { return edits }
        let others = known.values.filter { $0.hasOwnSettings && members[$0.app.bundleID] == nil }
        return edits + others.map { ($0.app.bundleID, nil) }.sorted { $0.0 < $1.0 }
    }

    private static func registrations(
        _ list: [JSONValue], of name: String, _ gateway: Gateway
    ) throws -> [RegistrationEdit] {
        var edits: [RegistrationEdit] = []
        var tokens: Set<DeviceToken> = []
        /// Of registrations whose tokens are derived.
        var uses: [TokenRequest: FieldPath] = [:]
        var check = RegistrationCheck(gateway.simulator)
        for (index, json) in list.enumerated() {
            let path = FieldPath().member("registrations").element(index)
            try json.refuseNull(at: path)
            let edit = try RegistrationEdit(json, at: path)
            let use = edit.use(on: name, gateway)
            if let token = edit.draft.token {
                guard tokens.insert(token).inserted else {
                    throw AdminError.badRequest(
                        "Duplicate 'registrations[\(index)].token'; every registration has its own.")
                }
                try check.add(token, for: use, isActive: edit.status == .active)
            } else if let first = uses.updateValue(path, forKey: use) {
                throw AdminError.badRequest(
                    "'\(path)' repeats '\(first)': a device derives one token for \(use.topic) in the "
                        + "\(use.environment.rawValue) environment. Remove one, or give one of them a 'token'.")
            }
            edits.append(edit)
        }
        // Active tokens first, given before derived: no token is derived beside a given active one, and a derived token
        // depends on earlier tokens.
        let active = edits.filter { $0.status == .active }
        return active.filter { $0.draft.token != nil } + active.filter { $0.draft.token == nil }
            + edits.filter { $0.status != .active }
    }
}

extension NotificationSettings {
    /// - Parameter own: The app's, which `null` restores.
    fileprivate func changed(by json: JSONValue, own: Self, at path: FieldPath) throws(FieldError) -> Self {
        var (settings, json) = (self, json)
        if case .object(var members) = json {
            for (name, value) in members where value == .null { members[name] = own.json[name] ?? .null }
            json = .object(members)
        }
        try settings.apply(json, besides: DeviceEdit.ignoredOfApp, at: path)
        return settings
    }
}

struct DevicesAnswer: APIShape {
    var devices: [DeviceAnswer]
    var next: String?
    var total: Int

    static let shape = Shape([
        "devices": .list("DeviceSummary"),
        "next": .filled(),
        "total": "How many devices have the prefix.",
    ])
}

struct DeviceAnswer: AnswerTable {
    let source: DeviceSummary

    static let rows: [Row<DeviceSummary>] = [
        Row("name", \.name),
        Row("createdAt", \.createdAt),
        Row("registrations") { $0.registrations.map { RegistrationAnswer($0) } },
        Row("notificationCount", \.inboxCount),
        Row("storedCount", \.storedCount),
        Row("droppedCount", \.counts.dropped),
        Row("eventCount", \.eventCount),
        Row("counts", \.counts),
    ]

    static let shape = Shape(name: "DeviceSummary", of: rows)
}

/// An app's state on a device besides its settings.
struct AppOnDeviceAnswer: AnswerTable {
    let source: AppOnDevice

    static let rows: [Row<AppOnDevice>] = [
        Row("badgeCount", \.badge),
        Row("prompt", \.prompt),
        Row("isTerminated", \.isTerminated),
        Row("categories") { $0.hasOwnCategories ? $0.app.categories.map(\.json) : nil },
    ]
}

extension DeliveryCounts: APIShape {
    package static let shape = Shape(name: "Counts")
}

extension Gateway {
    @discardableResult
    func perform(_ input: DeviceInput, on device: String) throws(SimulatorError) -> [DeviceEvent] {
        try simulator.perform(input, on: device, at: now())
    }

    func perform<Value: Sendable>(
        _ input: DeviceInput, on device: String, reading read: (DeviceState) -> Value
    ) throws(SimulatorError) -> DeviceChange<Value> {
        try simulator.perform(input, on: device, at: now(), reading: read)
    }
}
