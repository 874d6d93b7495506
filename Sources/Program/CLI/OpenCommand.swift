internal import ArgumentParser
internal import ChildProcesses
internal import Clients
internal import FoundationEssentials
internal import JSON

struct OpenCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "open", abstract: "Open the page in a browser, and print its address.",
        discussion: """
            Starts xdg-open. Without a desktop (DISPLAY, WAYLAND_DISPLAY), it only prints the address.

            EXAMPLES
              pushcote open
              pushcote open --notification 5
              pushcote open --notification latest
            """)

    @OptionGroup var admin: AdminOptions

    @Option(help: ArgumentHelp("Show this notification: its number, or latest.", valueName: "number"))
    var notification: NotificationID?

    func perform(with client: AdminClient) async throws -> CommandResult {
        let page = try await client.sendToRoot(APICall(.get, ["index.html"]))
        guard page.status == 200 else {
            throw CommandFailure(.failed, "\(client.address) has no page: set `page: true` in its configuration")
        }
        let address = "\(client.address)/notifications" + (notification.map { "/\($0)" } ?? "")
        Self.open(address)
        return CommandResult(admin.json ? JSONValue.object(["address": .string(address)]).text : address)
    }

    /// Does nothing without a desktop, where xdg-open would start a browser in the terminal, or without xdg-open.
    private static func open(_ address: String) {
        let environment = ProcessInfo.processInfo.environment
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { environment[$0]?.isEmpty == false }) else { return }
        // Not awaited: it may be the browser itself.
        _ = try? ChildCommand(program: "xdg-open", arguments: ["xdg-open", address], environment: environment).start()
    }
}
