import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import AdminAPI

/// Slow and oversized requests over a raw socket.
@Suite(.admin, .serialized, .timeLimit(.minutes(5))) struct HostileClientTests {
    private static let impatient = AdminConfiguration(
        maximumBodyByteCount: 1000, idleTimeout: .seconds(1), requestTimeout: .seconds(1), sendTimeout: .seconds(1))

    /// What a client sends first, and then repeatedly until the gateway closes the connection.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var first: String
        var more = ""
    }

    static let rows = [
        Row(testDescription: "nothing", first: ""),
        Row(testDescription: "half a head", first: "GET /livez HT"),
        Row(testDescription: "a head that drips", first: "GET /livez HTTP/1.1\r\nhost: localhost\r\nx: ", more: "x"),
        Row(
            testDescription: "half a body",
            first: "PUT /api/v1/devices/a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 900\r\n\r\n{"),
        Row(
            testDescription: "a body that drips",
            first: "PUT /api/v1/devices/a HTTP/1.1\r\nhost: localhost\r\ncontent-length: 900000\r\n\r\n{", more: " "),
        Row(
            testDescription: "a body that drips in chunks",
            first: "PUT /api/v1/devices/a HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n",
            more: "1\r\n \r\n"),
        Row(
            testDescription: "a body that drips where none is read",
            first: "GET /livez HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n", more: "1\r\n \r\n"),
    ]

    @Test(.admin(impatient), arguments: rows)
    func `a slow client is disconnected while others are answered`(_ row: Row) async throws {
        let port = try #require(admin.address.port)
        try await RawClient.withSilentConnection(to: port) { channel in
            if !row.first.isEmpty { try await channel.writeAndFlush(ByteBuffer(string: row.first)).get() }
            while channel.isActive, !row.more.isEmpty {
                guard (try? await channel.writeAndFlush(ByteBuffer(string: row.more)).get()) != nil else { break }
                #expect(await Self.isAnswered(admin))
            }
        }
        if row.more.isEmpty {
            // On a busy machine the gateway may close the connection before the client sends, which throws.
            try? await RawClient.withConnection(to: port) { client in
                try await client.send(row.first)
                _ = try await client.rest()
            }
        }
        #expect(await Self.isAnswered(admin))
    }

    /// On a busy machine this client may be slow, too, and the gateway closes its connection.
    private static func isAnswered(_ admin: AdminFixture) async -> Bool {
        for _ in 0..<10 {
            if let answer = try? await admin.get("/livez") { return answer.status == 200 }
        }
        return false
    }

    @Test(arguments: [
        ("HTTP/1.0", "", 1), ("HTTP/1.0", "connection: Keep-Alive\r\n", 2), ("HTTP/1.1", "", 2),
        ("HTTP/1.1", "connection: Close\r\n", 1),
    ])
    func `a connection closes after the answer if the client asked for that`(
        _ version: String, _ header: String, _ answerCount: Int
    ) async throws {
        let request = "GET /livez \(version)\r\nhost: localhost\r\n\(header)\r\n"
        let last = "GET /livez \(version)\r\nhost: localhost\r\nconnection: close\r\n\r\n"
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            try await client.send(answerCount == 1 ? request : request + last)
            let answers = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answers.split(separator: " 200 ").count - 1 == answerCount, "\(answers)")
        }
    }

    @Test(.admin(impatient)) func `a client that never reads its answers is disconnected`() async throws {
        let port = try #require(admin.address.port)
        let request = "GET /openapi.yaml HTTP/1.1\r\nhost: localhost\r\n\r\n"
        let many = ByteBuffer(string: String(repeating: request, count: 1000))
        try await RawClient.withSilentConnection(to: port) { channel in
            // Dozens of megabytes of answers, more than socket buffers hold. A failing write shows the end.
            while (try? await channel.writeAndFlush(many).get()) != nil {}
        }
        #expect(await Self.isAnswered(admin))
    }

    @Test func `a connection beyond the limit is served once another closes`() async throws {
        var configuration = AdminConfiguration()
        configuration.maximumConnections = 2
        try await withAdmin(configuration) { admin in
            let port = try #require(admin.address.port)
            let request = "GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n"
            try await RawClient.withConnection(to: port) { third in
                try await RawClient.withConnection(to: port) { first in
                    try await first.send(request)
                    #expect(try await first.text(until: "ok").contains("200"))
                    try await RawClient.withConnection(to: port) { second in
                        try await second.send(request)
                        try await third.send(request)
                    }
                }
                #expect(try await third.text(until: "ok").contains("200"))
            }
        }
    }

    @Test(arguments: [
        "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\n\((0..<200).map { "a\($0): b\r\n" }.joined())\r\n",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\na: \(String(repeating: "a", count: 17000))\r\n\r\n",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\n\((0..<90).map { "a\($0): \(String(repeating: "b", count: 1000))\r\n" }.joined())\r\n",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /livez HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\r\n\r\n",
    ]) func `oversized and malformed requests are rejected`(_ bytes: String) async throws {
        let port = try #require(admin.address.port)
        try await RawClient.withConnection(to: port) { client in
            try? await client.send(bytes)
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(!answer.contains(" 200 "), "\(answer.prefix(200))")
        }
        #expect(try await admin.get("/livez").status == 200)
    }

    @Test(arguments: [
        "/../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/ca.pem/../livez", "/ca.pem%00", "/%00",
        "/api/v1/devices/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/api/v1/devices/..%2f..%2fetc%2fpasswd",
        "/api/v1/devices/%00", "/api/v1/devices/a%00b", "/api/v1/../../ca.key", "/ca.key", "/server.key", "//ca.key",
        "/api/v1/apps/..%5c..%5cca.key",
    ]) func `no path exposes a file`(_ path: String) async throws {
        let answer = try await admin.get(path)
        #expect([400, 404].contains(answer.status), "\(answer.status)")
        #expect(!answer.text.contains("root:") && !answer.text.contains("PRIVATE"))
    }

    @Test(arguments: ["a%00b", "..", ".", "a%0ab", "%2e%2e"])
    func `a device name is never interpreted as a path`(_ name: String) async throws {
        let made = try await admin.send("PUT", "/api/v1/devices/\(name)", "{}")
        guard made.status == 201 else {
            #expect([400, 404].contains(made.status), "\(made.status) \(made.text)")
            return
        }
        #expect(try await admin.get("/api/v1/devices/\(name)").status == 200)
    }
}
