internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import ExtensionHost
internal import Fields
internal import Files
internal import Gateway
internal import JSON
internal import Webhooks

struct FixtureReader {
    private let file: ConfigurationFile
    private(set) var fixtures: Fixtures
    private(set) var problems: [FieldProblem] = []

    /// - Parameter fixtures: Those of earlier files.
    init(_ file: ConfigurationFile, after fixtures: Fixtures) {
        self.file = file
        self.fixtures = fixtures
    }

    mutating func read(_ section: Fixtures.Section, _ json: JSONValue) {
        let path = FieldPath([.member(section.rawValue)])
        switch section {
        case .keys:
            for (json, path) in elements(json, at: path, each: "{keyId, teamId, file}") { readKey(json, at: path) }
        case .faults:
            for (json, path) in elements(json, at: path, each: "{effect} or {scenario}") {
                let element = collecting { () throws(FieldError) in try FaultElement(json, at: path) }
                let position = file.position(of: path)
                let rules = element?.named(besides: fixtures.faults.map(\.value), place: "\(position)") ?? []
                fixtures.faults += rules.map { Fixtures.Placed(value: $0, position: position) }
            }
        case .webhooks:
            for (json, path) in elements(json, at: path, each: "{name, url}") {
                if let webhook = collecting({ () throws(FieldError) in try Webhook(json: json, at: path) }) {
                    fixtures.webhooks.append(Fixtures.Placed(value: webhook, position: file.position(of: path)))
                }
            }
        case .apps:
            for (name, json, path) in entries(json, at: path, each: "a bundle identifier") where isApp(name, at: path) {
                readApp(name, json, at: path)
            }
        case .devices:
            for (name, json, path) in entries(json, at: path, each: "a device's name") {
                if DeviceName.isValid(name) {
                    readDevice(name, json, at: path)
                } else {
                    problems.append(
                        FieldProblem(path, "is not a device name", "accepted: \(DeviceName.rule)", subject: .name))
                }
            }
        }
    }

    private mutating func readKey(_ json: JSONValue, at path: FieldPath) {
        var draft = ProviderKeyDraft()
        collecting { () throws(FieldError) in try draft.apply(json, besides: ["file"], at: path) }
        guard case .object = json else { return }
        let reader = MemberReader(json, at: path)
        let source = reader.required("file", .path)
        for field in ["keyId", "teamId"] where !reader.has(field) {
            reader.report([.missing(field, at: path, accepted: FieldFormat<String>.keyIdentifier.accepted)])
        }
        problems += reader.error?.problems ?? []
        guard let keyID = draft.keyID, let teamID = draft.teamID, let source else { return }
        let key = draft.key(keyID: keyID, teamID: teamID)
        fixtures.keys.append(Fixtures.Key(key: key, file: source, position: file.position(of: path)))
    }

    private mutating func readApp(_ bundleID: String, _ json: JSONValue, at path: FieldPath) {
        var app = App(bundleID: bundleID)
        collecting { () throws(FieldError) in if json != .null { try app.apply(json, at: path) } }
        if app.bundleID != bundleID {
            problems.append(
                FieldProblem(
                    path.member("bundleId"), "is \"\(app.bundleID)\"",
                    "accepted: \(bundleID), as its section is called"))
            app.bundleID = bundleID
        }
        app.extension = app.extension?.located(in: file.folder)
        if let service = app.extension, service.kind == .swift, let source = service.path, !FileStore.exists(source) {
            problems.append(
                FieldProblem(
                    path.member("extension").member("path"), "is \(source), which does not exist",
                    "accepted: the folder or Swift file of the extension's source"))
        }
        fixtures.apps.append(app)
        fixtures.appPositions.append(file.position(of: path, isName: true))
    }

    private mutating func readDevice(_ name: String, _ json: JSONValue, at path: FieldPath) {
        var device = Fixtures.Device(name: name, position: file.position(of: path, isName: true))
        defer { fixtures.devices.append(device) }
        guard json != .null else { return }
        collecting { () throws(FieldError) in
            try device.conditions.apply(json, besides: ["registrations", "apps"], at: path)
        }
        let registrations = json["registrations"] ?? .null
        for (json, path) in elements(registrations, at: path.member("registrations"), each: "{topic}") {
            let draft = collecting { () throws(FieldError) in try RegistrationDraft(json: json, at: path) }
            guard let draft else { continue }
            device.registrations.append(Fixtures.Placed(value: draft, position: file.position(of: path)))
        }
        let apps = json["apps"] ?? .null
        for (bundleID, json, path) in entries(apps, at: path.member("apps"), each: "a bundle identifier")
        where isApp(bundleID, at: path) {
            // The app may be read later, so this only checks and stores the members.
            var settings = NotificationSettings()
            collecting { () throws(FieldError) in if json != .null { try settings.apply(json, at: path) } }
            device.settingEdits[bundleID] = json
        }
    }

    /// - Returns: nil after a problem.
    @discardableResult
    private mutating func collecting<Value>(_ body: () throws(FieldError) -> Value) -> Value? {
        do throws(FieldError) {
            return try body()
        } catch {
            problems += error.problems
            return nil
        }
    }

    private mutating func isApp(_ name: String, at path: FieldPath) -> Bool {
        if TopicRules.isTopic(name) { return true }
        problems.append(FieldProblem(path, "is not an app name", "accepted: \(TopicRules.form)", subject: .name))
        return false
    }

    private mutating func elements(_ json: JSONValue, at path: FieldPath, each: String) -> [(JSONValue, FieldPath)] {
        if case .array(let elements) = json {
            return elements.enumerated().map { ($0.element, path.element($0.offset)) }
        }
        if json != .null { problems.append(.wrong(json, at: path, accepted: "a list, each element \(each)")) }
        return []
    }

    /// Members in the order of the file.
    private mutating func entries(
        _ json: JSONValue, at path: FieldPath, each: String
    ) -> [(String, JSONValue, FieldPath)] {
        guard case .object(let members) = json else {
            if json != .null { problems.append(.wrong(json, at: path, accepted: "entries, each key \(each)")) }
            return []
        }
        let places = members.keys.map { ($0, file.position(of: path.member($0), isName: true)) }
        return places.sorted { $0.1 < $1.1 }.map { name, _ in (name, members[name] ?? .null, path.member(name)) }
    }
}
