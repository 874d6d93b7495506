import DeviceModel
import ExtensionHost
import Foundation
import JSON
import Testing

@Suite(.bench, .timeLimit(.minutes(5))) struct HTTPTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: RawServer.Answer
        var end: ExtensionRun.End
        var title: String?
        var detail = ""
        var ignored = 0
        var testDescription: String { name }
    }

    static let line = #"{"type":"content","content":{"title":"Modified"}}"#
    static let rows = [
        Row(name: "modified", answer: .ok(line + "\n"), end: .answered, title: "Modified"),
        Row(name: "no line break", answer: .ok(line), end: .answered, title: "Modified"),
        Row(
            name: "a piece of an answer counts as soon as it is there", answer: .piece(line), end: .answered,
            title: "Modified"),
        Row(
            name: "content alone",
            answer: .ok("{\n\"content\":{\"title\":\"Modified\"}\n}", type: "application/json; charset=utf-8"),
            end: .answered, title: "Modified"),
        Row(name: "two calls", answer: .ok(line + "\n" + line + "\n"), end: .answered, title: "Modified", ignored: 1),
        Row(name: "204", answer: .init(bytes: "HTTP/1.1 204 No Content\r\n\r\n"), end: .answered, title: "Neko"),
        Row(name: "no line of content", answer: .ok(#"{"type":"entered"}"#), end: .answered, title: "Neko"),
        Row(
            name: "500", answer: .ok("oops", status: "500 Internal Server Error"), end: .protocolError,
            detail: "the server answered with status 500"),
        Row(
            name: "bad JSON", answer: .ok("{\"type\":"), end: .protocolError,
            detail: "a line of the answer is not valid JSON at line 1, column 9"),
        Row(
            name: "wrong members", answer: .ok(#"{"type":"content","content":{"badge":"x"}}"#), end: .protocolError,
            detail: "badge is \"x\""),
        Row(
            name: "another id", answer: .ok(#"{"type":"content","id":4711,"content":{}}"#), end: .protocolError,
            detail: "id is 4711"),
        Row(
            name: "oversized", answer: .ok(String(repeating: "x", count: 70_000)), end: .protocolError,
            detail: "the answer is longer than 65536 bytes"),
        Row(
            name: "not HTTP", answer: .init(bytes: "SSH-2.0-OpenSSH_9.2\r\n"), end: .protocolError,
            detail: "the server does not speak HTTP/1.1"),
        Row(
            name: "closed without a word", answer: .init(bytes: ""), end: .unreachable,
            detail: "the server closed the connection before it answered"),
        Row(
            name: "closed in the middle", answer: .init(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"),
            end: .unreachable,
            detail: "the server closed the connection before it answered"),
    ]

    private func request(_ url: String, _ number: UInt64 = 1) -> ExtensionRequest {
        .make(number) { ($0.kind, $0.url) = (.http, url) }
    }

    @Test(.bench { $0.maximumMessageByteCount = 65536 }, arguments: rows) func ends(_ row: Row) async throws {
        let server = try await RawServer { _ in row.answer }
        let run = try await bench.ask(request(server.url))
        #expect(run.end == row.end, "\(run)")
        #expect(run.answer?.title == row.title)
        #expect(run.detail.hasPrefix(row.detail), "\(run.detail)")
        #expect(run.ignoredAnswerCount == row.ignored)
        await bench.end()
        #expect(bench.finishCount == 1)
        try await server.close()
    }

    @Test func theRequestIsOneLineOfJSON() async throws {
        let server = try await RawServer { _ in .ok(Self.line) }
        _ = try await bench.ask(request(server.url))
        let parts = try #require(server.requests.first).components(separatedBy: "\r\n\r\n")
        #expect(parts[0].hasPrefix("POST /extension?app=chat HTTP/1.1\r\n"))
        #expect(parts[0].contains("content-type: application/x-ndjson"))
        guard case .object(let message)? = JSONValue(Array(parts[1].utf8).span.bytes) else {
            Issue.record("no object: \(parts[1])")
            return
        }
        #expect(message["type"] == .string("didReceive"))
        #expect(message["paths"] == nil)
        try await server.close()
    }

    static let late: [(to: String, RawServer.Answer, ExtensionRun.End, ExtensionRun.AnswerSource, title: String)] = [
        (
            "serviceExtensionTimeWillExpire", .ok(#"{"type":"content","content":{"title":"Best"}}"#), .answered,
            .expiration, "Best"
        ),
        (
            "didReceive", .piece(#"{"type":"bestAttempt","content":{"title":"Attempt"}}"#), .expired, .bestAttempt,
            "Attempt"
        ),
    ]

    @Test(.bench { $0.killAfter = .seconds(32) }, arguments: late.indices)
    func aSlowServerGetsASecondPostWhenTimeIsUpAndElseItsBestAttemptCounts(_ index: Int) async throws {
        let (word, answer, end, source, title) = Self.late[index]
        let server = try await RawServer { $0.contains(word) ? answer : .nothing }
        bench.host.submit(request(server.url))
        await bench.until { server.requests.count == 1 }
        await bench.untilEntered()
        bench.advance(.seconds(29))
        let run = try await bench.run()
        #expect(run.end == end)
        #expect(run.answerSource == source)
        #expect(run.answer?.title == title)
        try await server.close()
    }

    static let unreachable = [
        ("http://127.0.0.1:1/", "127.0.0.1:1: "),
        ("http://pushcote.invalid/", "pushcote.invalid: unknown host pushcote.invalid"),
        ("https://127.0.0.1/", "https://127.0.0.1/ needs TLS, which the gateway does not speak to extensions"),
        ("http://", "http:// is not a URL"),
        ("http://127.0.0.1:99999/", "http://127.0.0.1:99999/ is not a URL"),
        ("localhost:80", "localhost:80 is not a URL"),
    ]

    @Test(arguments: unreachable) func anUnreachableServerIsExplained(_ url: String, _ detail: String) async throws {
        let run = try await bench.ask(request(url))
        #expect(run.end == .unreachable)
        #expect(run.detail.hasPrefix(detail), "\(run.detail)")
    }

    @Test func aThousandHangingRequestsCanBeCancelled() async throws {
        let server = try await RawServer { _ in .nothing }
        for number in 1...1000 as ClosedRange<UInt64> {
            bench.host.submit(
                .make(number, app: "com.example.app\(number % 100)") { ($0.kind, $0.url) = (.http, server.url) })
        }
        await bench.until { server.requests.count == 100 }
        bench.host.cancel { _ in true }
        #expect(await bench.runs(1...1000).allSatisfy { $0.end == .cancelled })
        try await server.close()
    }
}
