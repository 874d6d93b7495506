internal import APNs
internal import ArgumentParser
internal import DeviceModel
internal import JSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// `pushcote send`: pushes a payload to a device, with the arguments of `xcrun simctl push`.
struct SendCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Push a payload to a device, as xcrun simctl push does.",
        usage: "pushcote send <device> [<bundle id>] (<json file> | -) [options]",
        discussion: """
            The file is a payload, {"aps": …}, or an .apns file whose member "Simulator Target Bundle" names the app; the \
            bundle identifier on the command line wins. "-" reads standard input. No key is needed: the push does not go \
            through the provider protocol. A device that is not there is made.

            EXAMPLES
              pushcote send phone com.example.app payload.json
              pushcote send phone greeting.apns --environment production
              echo '{"aps":{"alert":"Hello"}}' | pushcote send phone com.example.app -

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    @Argument(
        help: ArgumentHelp(
            "The app's bundle identifier, if the file does not name it, and the file.", valueName: "file"))
    var bundleAndFile: [String]

    @Option(help: ArgumentHelp("Whose token of the device is meant.", valueName: "environment"))
    var environment: EnvironmentArgument?

    @Option(help: ArgumentHelp("apns-push-type: alert, background, …", valueName: "type"))
    var pushType: String?

    @Option(help: ArgumentHelp("apns-priority: 10, 5 or 1.", valueName: "number"))
    var priority: Int?

    @Option(help: ArgumentHelp("apns-collapse-id.", valueName: "id"))
    var collapseID: String?

    func validate() throws {
        guard bundleAndFile.count <= 2 else {
            throw ValidationError("There are too many arguments; expected: <device> [<bundle id>] (<json file> | -)")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let file = bundleAndFile[bundleAndFile.count - 1]
        guard let payload = file == "-" ? StandardStreams.readAll() : StandardStreams.readFile(file) else {
            throw CommandFailure(.failed, "\(file == "-" ? "standard input" : file) cannot be read")
        }
        let bundle = bundleAndFile.count == 2 ? bundleAndFile[0] : Self.targetBundle(in: payload)
        guard let bundle else {
            throw CommandFailure(
                .usage,
                "the app is not named: give its bundle identifier before the file, or put \"Simulator Target Bundle\" into it"
            )
        }
        let answer = try await client.send(
            AdminRequest(
                .post, ["devices", device, "push"],
                query: [
                    ("topic", bundle), ("environment", environment?.environment.rawValue), ("pushType", pushType),
                    ("priority", priority.map { String($0) }), ("collapseId", collapseID),
                ],
                body: payload))
        return CommandResult(admin.json ? answer.text : "Notification sent to '\(bundle)'")
    }

    /// The app that an .apns file names.
    static func targetBundle(in payload: [UInt8]) -> String? {
        guard case .object(let members) = JSONValue(payload.span.bytes),
            case .string(let bundle) = members["Simulator Target Bundle"]
        else { return nil }
        return bundle
    }
}

/// `sandbox` or `production` on the command line.
struct EnvironmentArgument: ExpressibleByArgument {
    var environment: APNsEnvironment

    init?(argument: String) {
        guard let environment = APNsEnvironment(rawValue: argument) else { return nil }
        self.environment = environment
    }

    static var allValueStrings: [String] { APNsEnvironment.allCases.map(\.rawValue) }
}
