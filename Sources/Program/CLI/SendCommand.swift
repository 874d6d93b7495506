internal import APNs
internal import ArgumentParser
package import DeviceModel
internal import JSON

struct SendCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "send", abstract: "Push a payload directly to a device, like xcrun simctl push.",
        usage: "pushcote send <device> [<bundle id>] (<json file> | -) [options]",
        discussion: """
            The file is a payload, {"aps": …}, or an .apns file whose member "Simulator Target Bundle" names the app; a \
            bundle identifier on the command line overrides it. "-" reads standard input. The push bypasses the provider \
            protocol, so it needs no provider token. A missing device is created. Prints the notification's number, the outcome \
            and findings; with --json, the whole notification.

            EXAMPLES
              pushcote send phone com.example.app payload.json
              pushcote send phone com.example.app payload.json --json | jq .findings
              pushcote send phone greeting.apns --environment production
              echo '{"aps":{"alert":"Hello"}}' | pushcote send phone com.example.app -
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    @Argument(
        help: ArgumentHelp(
            "The app's bundle identifier, unless the file names it, and the file.", valueName: "file"))
    var bundleAndFile: [String]

    @Option(help: ArgumentHelp("The environment of the device token.", valueName: "environment"))
    var environment: APNsEnvironment?

    @Option(help: ArgumentHelp("apns-push-type: alert, background, …", valueName: "type")) var pushType: String?

    @Option(help: ArgumentHelp("apns-priority: 10, 5 or 1.", valueName: "number")) var priority: Int?

    @Option(help: ArgumentHelp("apns-collapse-id.", valueName: "id")) var collapseID: String?

    func validate() throws {
        guard bundleAndFile.count <= 2 else {
            throw ValidationError("too many arguments; expected: <device> [<bundle id>] (<json file> | -)")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let file = bundleAndFile[bundleAndFile.count - 1]
        let payload = try StandardStreams.read(file)
        let bundle = bundleAndFile.count == 2 ? bundleAndFile[0] : PayloadKey.targetBundle(in: payload)
        guard let bundle else {
            if case .invalid(let problem) = PayloadScan(payload.span.bytes) {
                throw CommandFailure(.failed, "\(file == "-" ? "standard input" : file): \(problem.message)")
            }
            throw CommandFailure(
                .usage,
                "the app is not named\(Self.namingMistake(in: payload) ?? ""): give its bundle identifier before the "
                    + "file, or put \"\(PayloadKey.targetBundle)\" into it")
        }
        let headers: APICall.Query = [
            ("topic", bundle), ("environment", environment?.rawValue), ("pushType", pushType),
            ("priority", priority.map { String($0) }), ("collapseId", collapseID),
        ]
        let id = try await client.push(payload, headers, to: device)
        return try await print(APICall(.get, ["notifications", id]), with: client) { notification in
            let findings = notification.findings.elements.map { finding in
                let place = finding.path.word.map { " (\($0))" } ?? ""
                return "\(finding.severity.line) \(finding.id.line)\(place): \(finding.message.line)"
            }
            return (["Notification sent to '\(bundle)'", "#\(id) \(notification.why.line)"] + findings)
                .joined(separator: "\n")
        }
    }

    private static func namingMistake(in payload: [UInt8]) -> String? {
        guard case .object(let members) = JSONValue(payload.span.bytes) else { return " (the file is no JSON object)" }
        if let name = members[PayloadKey.targetBundle] {
            return " (\"\(PayloadKey.targetBundle)\" must be text, not \(name.text.prefix(40)))"
        }
        return members.keys.sorted().first { $0.plainKey == PayloadKey.targetBundle.plainKey }.map {
            " (\"\($0)\" must be written \"\(PayloadKey.targetBundle)\")"
        }
    }
}

extension AdminClient {
    /// Pushes directly to a device.
    /// - Parameter headers: Keyed by the admin API's query parameters.
    /// - Returns: The notification's number.
    func push(_ payload: [UInt8], _ headers: APICall.Query, to device: String) async throws -> String {
        let call = APICall(.post, ["devices", device, "push"], query: headers, body: payload)
        return try await ask(call).id.line
    }
}

extension PayloadKey {
    /// The app that an .apns file names.
    package static func targetBundle(in payload: [UInt8]) -> String? {
        guard case .object(let members) = JSONValue(payload.span.bytes),
            case .string(let bundle) = members[PayloadKey.targetBundle]
        else { return nil }
        return bundle
    }
}
