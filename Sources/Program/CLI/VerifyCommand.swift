internal import ArgumentParser
internal import Clients
internal import Fields
internal import JSON

struct VerifyCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "verify", abstract: "Check that the right notifications arrived, and see the nearest misses if not.",
        exits: [.ok, .failed, .timedOut, .unreachable, .usage],
        discussion: """
            Each argument is a condition on the notifications, such as title~Hello or payload.aps.badge>2; all must hold. \
            --then begins another query: the notifications must arrive in this order. Without a match, or with too many, \
            the nearest misses are printed, and the exit status is 1; it is 3 if --within passed without enough matches.

            EXAMPLES
              pushcote verify device=phone "title=Order 7" --within 5s
              pushcote verify topic=com.example.app --count 2
              pushcote verify "body~password" --never --within 500ms
              pushcote verify "title=Boarding" --then "title=Departed"
              pushcote verify --of requests status=410 --json
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: ArgumentHelp("The conditions.", valueName: "condition")) var conditions: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("A condition on a later notification; repeatable.", valueName: "condition"))
    var then: [String] = []

    @Option(help: ArgumentHelp("What to verify: notifications, requests or events.", valueName: "kind"))
    var of = "notifications"

    @Option(help: ArgumentHelp("Only this device's; events need it.", valueName: "name")) var device: String?

    @Option(help: ArgumentHelp("The exact number of matches.", valueName: "number")) var count: Int?
    @Option(help: ArgumentHelp("The minimum number of matches. (default: 1)", valueName: "number")) var atLeast: Int?
    @Option(help: ArgumentHelp("The maximum number of matches.", valueName: "number")) var atMost: Int?
    @Flag(help: "Expect no match.") var never = false

    @Option(help: ArgumentHelp("How long to wait, such as 500ms or 5s.", valueName: "duration")) var within: Duration?

    @Flag(help: "Advance the gateway's stopped clock by --within instead of waiting.") var simulated = false

    @Option(help: ArgumentHelp("Only notifications, requests or events after this number.", valueName: "number"))
    var since: UInt64?

    func validate() throws {
        guard !conditions.isEmpty else { throw ValidationError("Give a condition, such as \"title~Hello\".") }
        guard count == nil || atLeast == nil && atMost == nil else {
            throw ValidationError("--count and --at-least or --at-most exclude each other.")
        }
    }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let call = APICall(.post, ["verify"], json: body, timeout: (within ?? .zero) + .seconds(30))
        let response = try await answer(to: call, with: client)
        let answer = try client.read(response, to: call)
        let output = admin.json ? response.text : answer.report.text + "\n"
        guard !answer.verified.isTrue else { return CommandResult(output) }
        let isLate = within != nil && answer.outcome.word == "tooFew"
        return CommandResult(output, status: isLate ? .timedOut : .failed)
    }

    private func answer(to call: APICall, with client: AdminClient) async throws -> HTTPAnswer {
        do {
            return try await client.send(call, accepting: [406])
        } catch {
            guard case .refused(400, let message) = error else { throw error }
            // Other commands begin with the device's name.
            let word = conditions.first.flatMap { $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } ? $0 : nil }
            let hint = word.map { " For the device of that name, write device=\($0)." } ?? ""
            throw AdminClientError.refused(
                status: 400, message: message + (message.contains("there is no '\(word ?? "")'") ? hint : ""))
        }
    }

    private var body: JSONValue {
        let first = JSONValue.strings(conditions)
        let bounds: JSONValue = [
            "exactly": count.map { .integer($0) }, "atLeast": atLeast.map { .integer($0) },
            "atMost": atMost.map { .integer($0) },
        ]
        let hasBounds = count != nil || atLeast != nil || atMost != nil
        return [
            "of": .string(of), "device": device.map { .string($0) },
            "where": then.isEmpty ? first : nil,
            "order": then.isEmpty ? nil : .array([first] + then.map { .string($0) }),
            "count": hasBounds ? bounds : nil, "never": never ? .bool(true) : nil,
            "within": within.map { .string(DurationText.text($0)) }, "clock": simulated ? .string("simulated") : nil,
            "since": since.map { .integer($0) },
        ]
    }
}
