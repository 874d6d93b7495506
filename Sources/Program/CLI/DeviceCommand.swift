internal import ArgumentParser
internal import DeviceModel
internal import Fields
internal import JSON

struct DeviceCommand: CallCommand {
    static let configuration = CommandConfiguration(
        "device", abstract: "Show a device's conditions, apps and badges; with set, change them.",
        usage: "pushcote device <name> [set [--app <bundle id>] <key>=<value> …] [options]",
        discussion: """
            Keys are those that the command shows, with the names of the admin API. A value is JSON or a plain word; null \
            restores the default. With --app, the keys are the app's notification settings on the device; without it, the \
            device's conditions.

            EXAMPLES
              pushcote device phone
              pushcote device phone set isLocked=false ringSwitch=silent
              pushcote device phone set 'focus.modes=[{"id":"work","name":"Work"}]' focus.active=work
              pushcote device phone set --app com.example.app sound=disabled scheduledDelivery=enabled
              pushcote device phone --json | jq .apps
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    @Argument(help: ArgumentHelp("set, followed by key=value.", valueName: "change")) var changes: [String] = []

    @Option(help: ArgumentHelp("The app whose settings on the device to change.", valueName: "bundle id"))
    var app: String?

    func validate() throws {
        guard let first = changes.first else {
            guard app == nil else { throw ValidationError("--app needs set and a key=value") }
            return
        }
        if device == "set" {
            throw ValidationError("the device's name comes first: pushcote device \(first.onOneLine) set \(example)")
        }
        guard first == "set" else { throw ValidationError("'\(first)' is unknown; accepted: set") }
        guard changes.count > 1 else { throw ValidationError("set needs a key=value, such as \(example)") }
        _ = try members
    }

    private var example: String { app == nil ? "isLocked=false" : "sound=disabled" }

    private var members: JSONValue {
        get throws(ValidationError) { try JSONValue(assignments: changes.dropFirst(), example: example) }
    }

    func request() throws -> APICall {
        let path = ["devices", device]
        guard !changes.isEmpty else { return APICall(.get, path) }
        let members = try members
        return APICall(.patch, path, json: app.map { ["apps": .object([$0: members])] } ?? members)
    }

    func words(_ device: Answer) -> String {
        let conditions = DeviceConditions.fieldNames.compactMap { name in device[name].json.map { (name, $0) } }
        let rows = JSONValue.object(JSONObject(conditions)).leaves.map { [$0.path, $0.value.onOneLine] }
        var parts = [TextTable([device.name.line, ""], rows).text]
        if case .object(let apps)? = device.apps.json, !apps.isEmpty {
            let rows = apps.sorted { $0.key < $1.key }.map { name, app in
                [name, app["badgeCount"]?.word ?? "", app["prompt"]?.word ?? "-", Self.differences(in: app)]
            }
            parts.append(TextTable(["APP", "BADGE", "ASKED", "SETTINGS"], rows).text)
        }
        if !device.registrations.elements.isEmpty {
            let rows = DevicesCommand.List.rows(device).map { Array($0.dropFirst(2)) }
            parts.append(TextTable(Array(DevicesCommand.List.head.dropFirst(2)), rows).text)
        }
        return parts.joined(separator: "\n\n")
    }

    /// Settings that differ from those after the person allows everything.
    private static func differences(in app: JSONValue) -> String {
        NotificationSettings().json.leaves.compactMap { path, usual in
            app.value(at: path).flatMap { $0.word == usual ? nil : "\(path)=\($0.word)" }
        }.joined(separator: " ")
    }
}
