package import APNs
package import DeviceModel
package import DeviceSimulator
internal import ExtensionHost
internal import Fields
internal import Files
internal import FoundationEssentials
package import Gateway
internal import JSON
package import Webhooks

/// The sections `keys`, `apps`, `devices`, `faults` and `webhooks` of all files.
package struct Fixtures: Sendable, Hashable {
    package var keys: [Key] = []
    package var apps: [App] = []
    var appPositions: [SourcePosition] = []
    package var devices: [Device] = []
    package var faults: [Placed<FaultRule>] = []
    package var webhooks: [Placed<Webhook>] = []

    package init() {}

    /// A provider key and its file: .p8, or PEM with the public key.
    package struct Key: Sendable, Hashable {
        package var key: ProviderKey
        package var file: String
        package var position: SourcePosition
    }

    package struct Device: Sendable, Hashable {
        package var name: String
        package var registrations: [Placed<RegistrationDraft>] = []
        package var conditions = DeviceConditions()
        /// By bundle identifier; these override the apps' own settings.
        package internal(set) var settings: [String: NotificationSettings] = [:]
        /// The members in the file; `settings` adds them to the app's own.
        var settingEdits: JSONObject = [:]
        package var position: SourcePosition
    }

    /// A value with its place in the file, for messages.
    package struct Placed<Value: Sendable & Hashable>: Sendable, Hashable {
        package var value: Value
        package var position: SourcePosition
    }
}

// MARK: Reading

extension Fixtures {
    enum Section: String, CaseIterable {
        case keys, apps, devices, faults, webhooks

        fileprivate var schema: FieldSchema {
            switch self {
            case .keys: .list(.object("Key", ProviderKeyDraft.descriptions + [member("file", .path)]))
            case .apps: .map(App.schema)
            case .devices:
                .map(
                    .object(
                        "Device",
                        DeviceConditions.descriptions + [
                            member("registrations", .list(RegistrationDraft.schema)),
                            member("apps", .map(NotificationSettings.schema)),
                        ]))
            case .faults: .list(FaultRule.schema)
            case .webhooks: .list(Webhook.schema)
            }
        }
    }

    static let sections = Section.allCases.map { member($0.rawValue, $0.schema) }

    private static func member(_ name: String, _ schema: FieldSchema) -> FieldDescription {
        FieldDescription(name: name, accepted: "", summary: "", schema: schema, isOptional: true)
    }
}

// MARK: Files

extension Fixtures {
    /// Reads a folder's `.yaml`, `.yml` and `.json` files in the order of their names.
    mutating func add(folder: String, namedAt place: String, problems: inout [ConfigurationProblem]) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            problems.append(ConfigurationProblem(place, "fixtures: \(folder) is not a readable folder"))
            return
        }
        let endings = [".yaml", ".yml", ".json"]
        for name in names.sorted() where endings.contains(where: { name.hasSuffix($0) }) && !name.hasPrefix(".") {
            var file = ConfigurationFile(path: "\(folder)/\(name)")
            file.report(read(file))
            problems += file.problems
        }
    }

    private mutating func read(_ file: ConfigurationFile) -> [FieldProblem] {
        let known = Self.sections.map(\.name)
        switch file.json(as: .object("Fixtures", Self.sections)) {
        case .null: return []
        case .object(let members):
            var reader = FixtureReader(file, after: self)
            for (name, json) in members { if let section = Section(rawValue: name) { reader.read(section, json) } }
            let unknown = members.keys.filter { Section(rawValue: $0) == nil }
            self = reader.fixtures
            return FieldProblem.unknown(unknown, at: FieldPath(), known: known) + reader.problems
        case let json:
            let accepted = "accepted: \(known.joined(separator: ", "))"
            return [FieldProblem(FieldPath(), "the file is \(json.words)", accepted)]
        }
    }

    func checkNames(problems: inout [ConfigurationProblem]) {
        let limited = [
            ("fault rules", faults.map(\.position), FaultPlan.maximumRuleCount),
            ("webhooks", webhooks.map(\.position), WebhookTable.maximumCount),
        ]
        for (name, positions, limit) in limited where positions.count > limit {
            problems.append(
                ConfigurationProblem(
                    positions[limit], "too many \(name): \(positions.count); accepted: at most \(limit)"))
        }
        var stepCount = 0
        for fault in faults {
            stepCount += fault.value.patternStepCount
            guard stepCount > FaultPlan.maximumPatternStepCount else { continue }
            problems.append(
                ConfigurationProblem(
                    fault.position,
                    "the fault rules' regular expressions have over \(FaultPlan.maximumPatternStepCount) steps "
                        + "together; a repetition such as {2,50} counts as often as it repeats: use * or +"))
            break
        }
        var places: [String: SourcePosition] = [:]
        let named =
            keys.map { ("key \($0.key.keyID)", $0.position) } + devices.map { ("device \($0.name)", $0.position) }
            + zip(apps, appPositions).map { ("app \($0.bundleID)", $1) }
            + faults.map { ("fault \($0.value.name)", $0.position) }
            + webhooks.map { ("webhook \($0.value.name)", $0.position) }
        for (name, position) in named {
            if let first = places[name] {
                problems.append(ConfigurationProblem(position, "duplicate \(name), first at \(first)"))
            } else {
                places[name] = position
            }
        }
    }

    /// Applies the devices' overrides to the apps' own settings, once all files are read.
    mutating func resolveSettings() {
        let apps = Dictionary(apps.map { ($0.bundleID, $0.settings) }, uniquingKeysWith: { $1 })
        for index in devices.indices {
            for (bundleID, edit) in devices[index].settingEdits {
                var settings = apps[bundleID] ?? NotificationSettings()
                // Reading reported any problems.
                try? settings.apply(edit)
                devices[index].settings[bundleID] = settings
            }
        }
    }
}

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
                let rules = element?.named(besides: fixtures.faults.map(\.value)) { "\(position)" } ?? []
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
