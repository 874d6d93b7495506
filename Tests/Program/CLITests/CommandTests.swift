import ArgumentParser
import CLI
import Foundation
import NIOCore
import NIOPosix
import PushcoteConfiguration
import TestSupport
import Testing

@testable import pushcote

/// The commands' requests to the admin API, their output, and their exit codes.
@Suite struct CommandTests {
    /// Runs a command line against a gateway.
    static func run(_ arguments: [String], with client: AdminClient) async throws -> CommandResult {
        let command = try #require(try PushcoteCommand.parseAsRoot(arguments) as? any AdminCommand)
        return try await command.perform(with: client)
    }

    /// Three notifications in a list.
    static let rows = [#""title":"Ready","body":"Your order\nis ready""#, #""body":"\u001b[31mred""#, #""badge":3"#]
        .enumerated().map { index, text in
            """
            {"id":\(index + 1),"device":"phone","topic":"com.example.app","receivedAt":"2026-11-21T07:14:21.000Z",\
            "state":"delivered","timing":"now","pushType":"alert",\(text)}
            """
        }

    /// The page of `GET /notifications` with some of them.
    static func page(_ count: Int, outcome: String? = nil, hasMore: Bool = false) -> String {
        let ending = outcome.map { #","outcome":"\#($0)""# } ?? ""
        return """
            {"notifications":[\(rows.prefix(count).joined(separator: ","))],"next":"\(count)","hasMore":\(hasMore),\
            "dropped":0,"hasGap":false\(ending)}
            """
    }

    /// A page of `order=newest` with the notifications of some numbers.
    static func newestPage(_ numbers: [Int], of total: Int, isExact: Bool = true) -> String {
        let next = numbers.last ?? 0
        return """
            {"notifications":[\(numbers.map { rows[$0 - 1] }.joined(separator: ","))],"next":"\(next)",\
            "hasMore":\(next > 1),"dropped":0,"hasGap":false,"total":\(total),"isTotalExact":\(isExact),"since":"9"}
            """
    }

    static let table = """
        ID  RECEIVED                  DEVICE  TOPIC            TYPE   STATE      TIMING  TEXT
        1   2026-11-21T07:14:21.000Z  phone   com.example.app  alert  delivered  now     Ready | Your order is ready
        2   2026-11-21T07:14:21.000Z  phone   com.example.app  alert  delivered  now     \\u001b[31mred
        3   2026-11-21T07:14:21.000Z  phone   com.example.app  alert  delivered  now
        """

    @Test func inboxListsNotifications() async throws {
        let answers = [(200, Self.page(3, hasMore: true)), (200, Self.page(0))]
        try await FakeGateway.with(answers, token: "hush") { gateway, client in
            let arguments = ["inbox", "my phone", "--topic", "com.example.app", "--text", "a&b", "--since", "17"]
            let result = try await Self.run(arguments, with: client)
            #expect(result == CommandResult(Self.table))
            let lines = ["17", "3"].map { since in
                "GET /api/v1/notifications?device=my%20phone&topic=com.example.app&text=a%26b&since=\(since)&limit=1000"
            }
            #expect(
                gateway.asked
                    == lines.map { FakeGateway.Asked(line: $0, authorization: "Bearer hush", body: "") })
        }
    }

    @Test func listsShowTheNewest() async throws {
        let pages = [(200, Self.newestPage([3, 2], of: 3)), (200, Self.newestPage([1], of: 3))]
        let few = (200, Self.newestPage([3, 2], of: 10_000, isExact: false))
        try await FakeGateway.with([few, few] + pages + [(200, Self.page(3))]) { gateway, client in
            let two = try await Self.run(["inbox", "--limit", "2"], with: client)
            #expect(two.output.split(separator: "\n").map { $0.prefix(1) } == ["I", "2", "3"])
            #expect(two.remark == "These are the newest 2 of more than 10000; --all shows all.")
            let json = try await Self.run(["inbox", "--limit", "2", "--json"], with: client)
            #expect(json.output.hasPrefix(#"{"notifications":[{"id":2,"#) && json.output.contains(#"{"id":3,"#))
            #expect(json.output.contains(#""next":"9","hasMore":false,"#) && !json.output.contains(#""since""#))
            let three = try await Self.run(["inbox", "--limit", "3"], with: client)
            #expect(three == CommandResult(Self.table))
            let all = try await Self.run(["inbox", "--all"], with: client)
            #expect(all.output.split(separator: "\n").count == 4 && all.remark.isEmpty)
            let path = "GET /api/v1/notifications?"
            #expect(
                gateway.asked.map(\.line) == [
                    path + "order=newest&limit=2", path + "order=newest&limit=2", path + "order=newest&limit=3",
                    path + "order=newest&before=2&limit=1", path + "limit=1000",
                ])
        }
    }

    @Test func requestsAreAwaited() async throws {
        let none = #"{"requests":[],"next":"7","hasMore":false,"dropped":0,"isTruncated":false,"outcome":"timeout"}"#
        try await FakeGateway.with([(200, none)]) { gateway, client in
            let arguments = ["requests", "--reason", "BadDeviceToken", "--since", "7", "--wait", "0s", "--count", "2"]
            let result = try await Self.run(arguments, with: client)
            #expect(result.status == .timedOut && result.remark == "timed out after 0s: 0 of 2 matched")
            let query = "reason=BadDeviceToken&since=7&limit=100&wait=0s&count=2"
            #expect(gateway.asked.map(\.line) == ["GET /api/v1/requests?" + query])
        }
    }

    @Test func jsonPrintsTheGatewaysAnswer() async throws {
        for arguments in [["inbox"], ["devices"], ["devices", "phone"], ["readyz"]] {
            try await FakeGateway.with([(200, #"{"any": "thing"}"#)]) { _, client in
                let result = try await Self.run(arguments + ["--json"], with: client)
                #expect(result == CommandResult(#"{"any": "thing"}"#))
            }
        }
    }

    @Test func waitEndsOnceEnoughMatch() async throws {
        try await FakeGateway.with([(200, Self.page(3, outcome: "complete"))]) { gateway, client in
            let result = try await Self.run(["wait", "phone", "--count", "3", "--timeout", "PT0S"], with: client)
            #expect(result == CommandResult(Self.table))
            #expect(gateway.asked.map(\.line) == ["GET /api/v1/notifications?device=phone&limit=100&wait=0s&count=3"])
        }
    }

    @Test func waitRetriesUntilItsTimeout() async throws {
        let answers = [(200, Self.page(0, outcome: "timeout")), (200, Self.page(3, outcome: "complete"))]
        try await FakeGateway.with(answers) { gateway, client in
            let result = try await Self.run(["wait", "--count", "3", "--timeout", "1h"], with: client)
            #expect(result.status == .ok)
            let line = "GET /api/v1/notifications?limit=100&wait=20s&count=3"
            #expect(gateway.asked.map(\.line) == [line, line])
        }
    }

    @Test func waitReportsHowManyMatched() async throws {
        let verdict =
            #"{"verified":false,"outcome":"tooFew","message":"","status":406,"scanned":1,"matched":[],"matchCount":1,"#
            + #""otherCount":1,"report":"Verification failed: …\n  text~\"Hi\"\nNearest:\n  1  text: expected …","#
            + #""nearest":[{"number":1,"differences":[{"path":"text","expected":"something that contains a \"b\""},"#
            + #"{"path":"badge","expected":"> 2","got":1}]},{"number":9,"differences":[{"path":"text","#
            + #""expected":"something that contains a \"b\"","got":["Hi"]}]}]}"#
        let page = Self.page(1, outcome: "timeout")
        let answers = [(200, page), (406, verdict), (200, page), (200, "{}")]
        try await FakeGateway.with(answers) { gateway, client in
            let options = ["--state", "delivered", "--text", "a \"b\"", "--where", "badge>2", "--since", "4"]
            let result = try await Self.run(
                ["wait", "phone", "--count", "3", "--timeout", "0s"] + options, with: client)
            #expect(result.status == .timedOut)
            #expect(
                result.remark == """
                    timed out after 0s: 1 of 3 matched
                      text~"Hi"
                    Nearest:
                      1  badge: expected > 2, got 1
                      9  text: expected something that contains a "b", got ["Hi"]
                    """)
            #expect(result.output.contains("Ready"))
            #expect(
                gateway.asked[1].body
                    == #"{"device":"phone","where":["state=\"delivered\"","text~\"a \\\"b\\\"\"","badge>2"],"#
                    + #""count":{"atLeast":3},"since":4}"#)
            #expect(
                gateway.asked[2].line == "GET /api/v1/notifications?device=phone&text=a%20%22b%22&since=4&limit=1000")
        }
        try await FakeGateway.with([(200, Self.page(1, outcome: "stopping"))]) { _, client in
            let result = try await Self.run(["wait", "--count", "3"], with: client)
            #expect(result.status == .failed)
            #expect(result.remark == "the gateway is stopping")
        }
    }

    @Test func devicesAreListedByToken() async throws {
        let phone = """
            {"name":"phone","notificationCount":2,"registrations":[
            {"token":"00ff","topic":"com.example.app","environment":"sandbox","kind":"app","status":"active"},
            {"token":"11","topic":"com.example.app.voip","environment":"sandbox","kind":"voip","status":"expired"}]}
            """
        let tablet = #"{"name":"tablet","notificationCount":0,"registrations":[]}"#
        try await FakeGateway.with([
            (200, #"{"devices":[\#(phone),\#(tablet)],"next":"t"}"#), (200, #"{"devices":[]}"#), (200, phone),
            (200, #"{"devices":[]}"#), (200, #"{"devices":[\#(phone),\#(tablet)],"next":"t"}"#),
        ]) { gateway, client in
            let result = try await Self.run(["devices"], with: client)
            #expect(
                result.output == """
                    DEVICE  INBOX  TOPIC                 ENVIRONMENT  KIND  STATUS   TOKEN
                    phone   2      com.example.app       sandbox      app   active   00ff
                    phone   2      com.example.app.voip  sandbox      voip  expired  11
                    tablet  0
                    """)
            #expect(result.remark.isEmpty)
            #expect(try await Self.run(["devices", "phone"], with: client).output.contains("voip  expired"))
            #expect(try await Self.run(["devices"], with: client).output == "There are no devices yet.")
            let first = try await Self.run(["devices", "--limit", "1"], with: client)
            #expect(!first.output.contains("tablet"))
            #expect(first.remark == "These are the first 1; --all shows all.")
            #expect(
                gateway.asked.map(\.line) == [
                    "GET /api/v1/devices?limit=1000", "GET /api/v1/devices?cursor=t&limit=1000",
                    "GET /api/v1/devices/phone", "GET /api/v1/devices?limit=1000", "GET /api/v1/devices?limit=1000",
                ])
        }
    }

    @Test func sendTakesTheArgumentsOfSimctl() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let plain = folder.appending(path: "payload.json").path
        let named = folder.appending(path: "greeting.apns").path
        try Data(#"{"aps":{"alert":"Hi"}}"#.utf8).write(to: URL(filePath: plain))
        try Data(#"{"Simulator Target Bundle":"com.example.app","aps":{}}"#.utf8).write(to: URL(filePath: named))

        let detail = """
            {"id":1,"device":"phone","topic":"t","state":"delivered","receivedAt":"now",
            "why":"Active, delivered at once: sound.",
            "findings":[{"id":"title.lang","severity":"warning","message":"Write it.","path":"aps"}]}
            """
        let answers = [(201, #"{"id":1,"apnsId":"A"}"#), (200, detail)]
        try await FakeGateway.with(answers + answers + answers) { gateway, client in
            let words = "\n#1 Active, delivered at once: sound.\nwarning title.lang (aps): Write it."
            var result = try await Self.run(["send", "phone", "com.example.other", named], with: client)
            #expect(result == CommandResult("Notification sent to 'com.example.other'" + words))
            result = try await Self.run(["send", "phone", named], with: client)
            #expect(result == CommandResult("Notification sent to 'com.example.app'" + words))
            let options = [
                "--environment", "production", "--push-type", "background", "--priority", "5", "--collapse-id", "c",
                "--json",
            ]
            result = try await Self.run(["send", "phone", "com.example.app", plain] + options, with: client)
            #expect(result == CommandResult(detail))
            let query = "&environment=production&pushType=background&priority=5&collapseId=c"
            #expect(
                gateway.asked.map(\.line) == [
                    "POST /api/v1/devices/phone/push?topic=com.example.other", "GET /api/v1/notifications/1",
                    "POST /api/v1/devices/phone/push?topic=com.example.app", "GET /api/v1/notifications/1",
                    "POST /api/v1/devices/phone/push?topic=com.example.app" + query, "GET /api/v1/notifications/1",
                ])
            #expect(gateway.asked[4].body == #"{"aps":{"alert":"Hi"}}"#)
            await #expect(throws: CommandFailure.self) { try await Self.run(["send", "phone", plain], with: client) }
            await #expect(throws: CommandFailure(.failed, "/nowhere.json: No such file or directory")) {
                try await Self.run(["send", "phone", "com.example.app", "/nowhere.json"], with: client)
            }
            #expect(gateway.asked.count == 6)
        }
    }

    @Test func readyzSaysWhetherTheGatewayIsReady() async throws {
        let answers = [(200, #"{"status":"ready"}"#), (503, #"{"error":"starting","status":503}"#)]
        try await FakeGateway.with(answers) { gateway, client in
            #expect(try await Self.run(["readyz"], with: client) == CommandResult("ready"))
            let result = try await Self.run(["readyz"], with: client)
            #expect(result == CommandResult("", remark: "not ready (503)", status: .failed))
            #expect(gateway.asked.map(\.line) == ["GET /readyz", "GET /readyz"])
        }
    }

    @Test func errorsAreTheGatewaysWords() async throws {
        let answers = [(404, #"{"error":"no device is called \"x\"","status":404}"#), (401, "?"), (200, "[]")]
        try await FakeGateway.with(answers) { _, client in
            let missing = AdminClientError.refused(status: 404, message: "no device is called \"x\"")
            await #expect(throws: missing) { try await Self.run(["devices", "x"], with: client) }
            let refused = AdminClientError.refused(
                status: 401,
                message:
                    "\(client.address) gives no reason; is this the port of the admin API (listen.admin, default 8197)?"
            )
            await #expect(throws: refused) { try await Self.run(["devices"], with: client) }
            #expect(refused.description.contains("PUSHCOTE_ADMIN_TOKEN"))
            await #expect {
                try await Self.run(["devices"], with: client)
            } throws: { error in
                guard case .unexpectedAnswer(path: "/devices", _) = error as? AdminClientError else { return false }
                return true
            }
        }
    }

    @Test func anAnswerThatIsTooLongNamesTheLimit() async throws {
        try await FakeGateway.with([(200, String(repeating: "x", count: 2 << 20))]) { _, client in
            var limited = client
            limited.maximumByteCount = 1 << 20
            let short = limited
            let error = AdminClientError.tooLong(client.address, byteCount: 1 << 20)
            await #expect(throws: error) { try await Self.run(["devices"], with: short) }
            #expect(error.description.contains("larger than 1 MiB") && CommandFailure(error).status == .failed)
        }
    }

    /// A server that sends an unexpected answer, or none, to every client.
    static func withServer(saying text: String?, _ body: (AdminClient) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Speaker(text: text))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await body(AdminClient(address: AdminAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0)))
        try await channel.close()
    }

    /// Sends a text and disconnects; without a text it does neither.
    private final class Speaker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let text: String?

        init(text: String?) { self.text = text }

        func channelActive(context: ChannelHandlerContext) {
            guard let text else { return }
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(string: text)).flatMap { channel.close(mode: .output) }.whenComplete { _ in
            }
        }
    }

    @Test func anotherServerIsReported() async throws {
        for text in ["SSH-2.0-OpenSSH_10.0\r\n", "", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort"] {
            try await Self.withServer(saying: text) { client in
                await #expect {
                    try await Self.run(["readyz"], with: client)
                } throws: { error in
                    guard case .noAnswer = error as? AdminClientError else { return false }
                    return true
                }
            }
        }
        var closed = AdminAddress.standard
        try await Self.withServer(saying: nil) { client in
            closed = client.address
            let request = APICall(.get, ["readyz"], timeout: .milliseconds(20))
            await #expect(throws: AdminClientError.timedOut(closed, after: .milliseconds(20))) {
                try await client.sendToRoot(request)
            }
        }
        let unreachable = AdminClientError.unreachable(closed, why: "connection refused")
        await #expect(throws: unreachable) { try await Self.run(["inbox"], with: AdminClient(address: closed)) }
        #expect(
            unreachable.description.hasPrefix(
                "nothing answers at \(closed) (connection refused): is `pushcote serve` running?"))
    }

    static let wrong: [[String]] = [
        ["wait", "--count", "0"], ["wait", "--count", "1001"], ["wait", "--timeout", "10"], ["send", "phone"],
        ["send", "phone", "a", "b", "c"], ["inbox", "--admin", "https://localhost"], ["inbox", "--since", "-1"],
        ["inbocks"], ["inbox", "--limit", "0"], ["devices", "create"], ["devices", "create", "phone", "word"],
        ["setup", "pusshy"], ["requests", "--count", "2"], ["requests", "--wait", "1s", "--follow"],
        ["requests", "7", "--wait", "1s"], ["requests", "--wait", "1s", "--count", "1001"], ["tail", "--last", "-1"],
    ]

    @Test(arguments: wrong + DeviceCommandTests.wrong) func invalidCommandLinesPrintUsage(_ arguments: [String]) {
        #expect {
            _ = try PushcoteCommand.parseAsRoot(arguments)
        } throws: { error in
            PushcoteCommand.exitCode(for: error).rawValue == ExitStatus.usage.rawValue
        }
    }

    struct Help: Sendable, CustomTestStringConvertible {
        var name: String
        var command: any ParsableCommand.Type
        var testDescription: String { name }
    }

    /// Every command with its subcommands.
    static let helps = [Help(name: "pushcote", command: PushcoteCommand.self)] + below(PushcoteCommand.self, "")

    static func below(_ command: any ParsableCommand.Type, _ prefix: String) -> [Help] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }.flatMap { command in
            let name = prefix + (command.configuration.commandName ?? "")
            return [Help(name: name, command: command)] + below(command, name + "-")
        }
    }

    @Test(arguments: helps) func helpMatchesTheGoldenFile(_ help: Help) throws {
        let text = PushcoteCommand.helpMessage(for: help.command, columns: 100)
        #expect(text.contains("EXAMPLES"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        let file = Golden.folder("Program/CLITests").appending(path: "Help/\(help.name).txt")
        #expect(try Golden.difference(between: lines.joined(separator: "\n") + "\n", and: file) == nil)
    }

    @Test func secretsAreNotShown() throws {
        let effective = try ConfigurationSources(overrides: ["admin.token=tiptop"]).load(text: "")
        #expect(effective.configuration.admin.token == "tiptop")
        #expect(!effective.table.contains("tiptop") && !effective.json.contains("tiptop"))
        #expect(effective.table.contains("(not shown)"))
    }
}
