package import APNs
package import DeviceModel
package import DeviceSimulator
internal import ExtensionHost
internal import Fields
internal import Files
internal import FoundationEssentials
package import Gateway
internal import JSON

/// The sections `keys`, `apps`, `devices` and `faults` of all files.
package struct Fixtures: Sendable, Hashable {
    package var keys: [Key] = []
    package var apps: [App] = []
    var appPositions: [SourcePosition] = []
    package var devices: [Device] = []
    package var faults: [Fault] = []

    package init() {}

    /// A provider key and its file: .p8, or PEM with the public key.
    package struct Key: Sendable, Hashable {
        package var key: ProviderKey
        package var file: String
        package var position: SourcePosition
    }

    package struct Device: Sendable, Hashable {
        package var name: String
        package var registrations: [Registration] = []
        package var conditions = DeviceConditions()
        /// By bundle identifier; these override the apps' own settings.
        package internal(set) var settings: [String: NotificationSettings] = [:]
        /// The members in the file; `settings` adds them to the app's own.
        var settingEdits: JSONObject = [:]
        package var position: SourcePosition
    }

    package struct Fault: Sendable, Hashable {
        package var rule: FaultRule
        package var position: SourcePosition
    }

    package struct Registration: Sendable, Hashable {
        package var draft: RegistrationDraft
        package var position: SourcePosition
    }
}

// MARK: Reading

extension Fixtures {
    static let sections: [FieldDescription] = [
        section("keys", .list(.object("Key", ProviderKeyDraft.descriptions + [section("file", .path)]))),
        section("apps", .map(App.schema)),
        section(
            "devices",
            .map(
                .object(
                    "Device",
                    DeviceConditions.descriptions + [
                        section("registrations", .list(RegistrationDraft.schema)),
                        section("apps", .map(NotificationSettings.schema)),
                    ]))),
        section("faults", .list(FaultRule.schema)),
    ]

    private static func section(_ name: String, _ schema: FieldSchema) -> FieldDescription {
        FieldDescription(name: name, accepted: "", summary: "", schema: schema, isOptional: true)
    }

    mutating func read(
        section: String, _ json: JSONValue, of file: ConfigurationFile, _ problems: inout [FieldProblem]
    ) {
        let path = FieldPath([.member(section)])
        switch section {
        case "keys":
            for (json, path) in Self.elements(json, at: path, each: "{keyId, teamId, file}", &problems) {
                readKey(json, at: path, of: file, &problems)
            }
        case "faults":
            for (json, path) in Self.elements(json, at: path, each: "{name, effect} or {scenario}", &problems) {
                Self.collect(&problems) { () throws(FieldError) in
                    let rules = try FaultRule.rules(from: json, at: path)
                    faults += rules.map { Fault(rule: $0, position: file.position(of: path)) }
                }
            }
        case "apps":
            for (name, json, path) in Self.entries(json, at: path, of: file, each: "a bundle identifier", &problems) {
                if Self.isApp(name, at: path, &problems) { readApp(name, json, at: path, of: file, &problems) }
            }
        default:
            for (name, json, path) in Self.entries(json, at: path, of: file, each: "a device's name", &problems) {
                guard DeviceName.isValid(name) else {
                    let found = "is not a device name"
                    problems.append(FieldProblem(path, found, "accepted: \(DeviceName.rule)", subject: .name))
                    continue
                }
                readDevice(name, json, at: path, of: file, &problems)
            }
        }
    }

    private mutating func readKey(
        _ json: JSONValue, at path: FieldPath, of file: ConfigurationFile, _ problems: inout [FieldProblem]
    ) {
        var draft = ProviderKeyDraft()
        Self.collect(&problems) { () throws(FieldError) in try draft.apply(json, besides: ["file"], at: path) }
        guard case .object = json else { return }
        let reader = MemberReader(json, at: path)
        let source = reader.required("file", .path)
        for field in ["keyId", "teamId"] where !reader.has(field) {
            reader.report([.missing(field, at: path, accepted: FieldFormat<String>.keyIdentifier.accepted)])
        }
        Self.collect(&problems) { () throws(FieldError) in try reader.finish() }
        guard let keyID = draft.keyID, let teamID = draft.teamID, let source else { return }
        keys.append(
            Key(key: draft.key(keyID: keyID, teamID: teamID), file: source, position: file.position(of: path)))
    }

    private mutating func readApp(
        _ bundleID: String, _ json: JSONValue, at path: FieldPath, of file: ConfigurationFile,
        _ problems: inout [FieldProblem]
    ) {
        var app = App(bundleID: bundleID)
        Self.collect(&problems) { () throws(FieldError) in if json != .null { try app.apply(json, at: path) } }
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
        apps.append(app)
        appPositions.append(file.position(of: path, isName: true))
    }

    private mutating func readDevice(
        _ name: String, _ json: JSONValue, at path: FieldPath, of file: ConfigurationFile,
        _ problems: inout [FieldProblem]
    ) {
        var device = Device(name: name, position: file.position(of: path, isName: true))
        Self.collect(&problems) { () throws(FieldError) in
            if json != .null { try device.conditions.apply(json, besides: ["registrations", "apps"], at: path) }
        }
        guard case .object(let members) = json else { return devices.append(device) }
        let registrations = members["registrations"] ?? .null
        let place = path.member("registrations")
        for (json, path) in Self.elements(registrations, at: place, each: "{topic}", &problems) {
            Self.collect(&problems) { () throws(FieldError) in
                var draft = RegistrationDraft()
                try draft.apply(json, at: path)
                device.registrations.append(Registration(draft: draft, position: file.position(of: path)))
            }
        }
        let apps = members["apps"] ?? .null
        for (bundleID, json, path) in Self.entries(
            apps, at: path.member("apps"), of: file, each: "a bundle identifier", &problems)
        where Self.isApp(bundleID, at: path, &problems) {
            // The app may be read later, so this only checks and stores the members.
            var settings = NotificationSettings()
            Self.collect(&problems) { () throws(FieldError) in if json != .null { try settings.apply(json, at: path) } }
            device.settingEdits[bundleID] = json
        }
        devices.append(device)
    }

    private static func collect(_ problems: inout [FieldProblem], _ body: () throws(FieldError) -> Void) {
        do throws(FieldError) {
            try body()
        } catch {
            problems += error.problems
        }
    }

    private static func isApp(_ name: String, at path: FieldPath, _ problems: inout [FieldProblem]) -> Bool {
        if TopicRules.isTopic(name) { return true }
        problems.append(
            FieldProblem(path, "is not an app name", "accepted: \(TopicRules.form)", subject: .name))
        return false
    }

    private static func elements(
        _ json: JSONValue, at path: FieldPath, each: String, _ problems: inout [FieldProblem]
    ) -> [(JSONValue, FieldPath)] {
        if case .array(let elements) = json {
            return elements.enumerated().map { ($0.element, path.element($0.offset)) }
        }
        if json != .null { problems.append(.wrong(json, at: path, accepted: "a list, each element \(each)")) }
        return []
    }

    /// Members in the order of the file.
    private static func entries(
        _ json: JSONValue, at path: FieldPath, of file: ConfigurationFile, each: String,
        _ problems: inout [FieldProblem]
    ) -> [(String, JSONValue, FieldPath)] {
        guard case .object(let members) = json else {
            if json != .null { problems.append(.wrong(json, at: path, accepted: "entries, each key \(each)")) }
            return []
        }
        let places = members.keys.map { ($0, file.position(of: path.member($0), isName: true)) }
        return places.sorted { $0.1 < $1.1 }.map { name, _ in (name, members[name] ?? .null, path.member(name)) }
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
            read(&file)
            problems += file.problems
        }
    }

    private mutating func read(_ file: inout ConfigurationFile) {
        let known = Self.sections.map(\.name)
        var problems: [FieldProblem] = []
        switch file.json(as: .object("Fixtures", Self.sections)) {
        case .null: break
        case .object(let members):
            for (name, json) in members {
                if known.contains(name) {
                    read(section: name, json, of: file, &problems)
                } else {
                    problems.append(.unknown(name, at: FieldPath(), known: known))
                }
            }
        case let json:
            let words = "the file is \(json.words)"
            problems.append(FieldProblem(FieldPath(), words, "accepted: \(known.joined(separator: ", "))"))
        }
        file.report(problems)
    }

    func checkNames(problems: inout [ConfigurationProblem]) {
        if faults.count > FaultPlan.maximumRuleCount {
            problems.append(
                ConfigurationProblem(
                    faults[FaultPlan.maximumRuleCount].position,
                    "too many fault rules: \(faults.count); accepted: at most \(FaultPlan.maximumRuleCount)"))
        }
        var places: [String: SourcePosition] = [:]
        let named =
            keys.map { ("key \($0.key.keyID)", $0.position) } + devices.map { ("device \($0.name)", $0.position) }
            + zip(apps, appPositions).map { ("app \($0.bundleID)", $1) }
            + faults.map { ("fault \($0.rule.name)", $0.position) }
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
