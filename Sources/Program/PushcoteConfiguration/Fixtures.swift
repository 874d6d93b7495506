package import APNs
package import DeviceModel
package import DeviceSimulator
internal import Fields
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
