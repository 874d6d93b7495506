internal import AdminAPI
internal import ArgumentParser

struct DevicesCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List the devices, or one of them, with their tokens.",
        discussion: """
            EXAMPLES
              pushcote devices
              pushcote devices phone
              pushcote devices phone --json | jq -r '.registrations[0].token'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name; without it, all devices.")
    var device: String?

    @Option(help: ArgumentHelp("The maximum number of devices, 1 to 1000.", valueName: "number"))
    var limit = 100

    @Option(help: ArgumentHelp("Continue where an earlier list ended.", valueName: "cursor"))
    var cursor: String?

    func perform(with client: AdminClient) async throws -> CommandResult {
        if let device {
            return try await print(APICall(.get, ["devices", device]), with: client) { (device: DeviceAnswer) in
                CommandResult(Self.text([device]))
            }
        }
        let call = APICall(.get, ["devices"], query: [("limit", String(limit)), ("cursor", cursor)])
        return try await print(call, with: client) { (page: DevicesAnswer) in
            let remark = page.next.map { "More devices: pushcote devices --cursor \($0)" }
            return CommandResult(Self.text(page.devices), remark: remark ?? "")
        }
    }

    /// One line for each registration; a device without any has one of its own.
    private static func text(_ devices: [DeviceAnswer]) -> String {
        guard !devices.isEmpty else { return "There are no devices yet." }
        let rows = devices.flatMap { device in
            let name = device.name.onOneLine
            let count = String(device.notificationCount)
            guard !device.registrations.isEmpty else { return [[name, count, "", "", "", "", ""]] }
            return device.registrations.map { registration in
                [
                    name, count, registration.topic.onOneLine, registration.environment, registration.kind,
                    registration.status, registration.token,
                ]
            }
        }
        return TextTable(["DEVICE", "INBOX", "TOPIC", "ENVIRONMENT", "KIND", "STATUS", "TOKEN"], rows).text
    }
}
