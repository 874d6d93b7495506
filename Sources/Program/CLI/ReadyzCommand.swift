internal import ArgumentParser
internal import Clients

struct ReadyzCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "readyz", abstract: "Check whether the gateway accepts pushes, for health checks.",
        exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            EXAMPLES
              pushcote readyz
              HEALTHCHECK CMD ["pushcote", "readyz"]
            """)

    @OptionGroup var admin: AdminOptions

    func perform(with client: AdminClient) async throws -> CommandResult {
        let answer = try await client.sendToRoot(APICall(.get, ["readyz"], timeout: .seconds(5)))
        let status: ExitStatus = answer.status == 200 ? .ok : .failed
        if admin.json { return CommandResult(answer.text, status: status) }
        guard status != .ok else { return CommandResult("ready") }
        return CommandResult("", remark: "not ready (\(answer.status))", status: status)
    }
}
