import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AdminAPI

/// Answers that are made while they are sent.
@Suite(.admin, .timeLimit(.minutes(5))) struct LongAnswerTests {
    @Test(arguments: ["", "connection: keep-alive\r\n"])
    func `HTTP 1.0 gets no chunks; the end of the connection ends the answer`(_ header: String) async throws {
        for number in 0..<600 { try admin.register("phone-\(number)") }
        let state = try await admin.get("/api/v1/state").text
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            try await client.send("GET /api/v1/state HTTP/1.0\r\nhost: localhost\r\n\(header)\r\n")
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
            try #require(parts.count == 2)
            #expect(parts[0].lowercased().contains("\r\nconnection: close"), "\(parts[0])")
            #expect(!parts[0].lowercased().contains("transfer-encoding"), "\(parts[0])")
            let isWhole = parts[1] == state + "\n"
            #expect(isWhole, "\(parts[1].utf8.count) bytes of \(state.utf8.count)")
        }
    }

    @Test func `each of several requests sent at once is answered in its own version`() async throws {
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            try await client.send(
                "GET /api/v1/state HTTP/1.1\r\nhost: localhost\r\n\r\n"
                    + "GET /api/v1/state HTTP/1.0\r\nhost: localhost\r\n\r\n")
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            let heads = text.components(separatedBy: "HTTP/1.").dropFirst()
            #expect(heads.map { $0.prefix(1) } == ["1", "0"])
            #expect(heads.map { $0.lowercased().contains("transfer-encoding: chunked") } == [true, false])
        }
    }

    @Test func `the answer to HEAD does not say that it is empty`() async throws {
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            try await client.send("HEAD /api/v1/state HTTP/1.1\r\nhost: localhost\r\n\r\n")
            let text = String(decoding: try await client.rest(), as: UTF8.self).lowercased()
            #expect(text.contains(" 200 ok") && text.hasSuffix("\r\n\r\n"), "\(text)")
            #expect(!text.contains("content-length") && !text.contains("transfer-encoding"), "\(text)")
        }
    }

    @Test(arguments: ["/nope", "/api/v1/demo", "/api/v1/devices/p1/actions", "/api/v1/devices/none", "/livez", "/"])
    func `the answer to HEAD has no body, whatever is at the address`(_ path: String) async throws {
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            try await client.send(
                "HEAD \(path) HTTP/1.1\r\nhost: localhost\r\n\r\n"
                    + "GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            let parts = text.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 3 && parts[1].hasPrefix("HTTP/1.1 200"), "\(text)")
        }
    }

    @Test func `a client that reads for longer than allowed in all ends the answer`() async throws {
        let clock = SlowClock()
        var configuration = AdminConfiguration()
        configuration.sendTimeout = .seconds(10)
        configuration.now = { clock.now }
        for (partCount, isAnswered) in [(10, true), (11, false)] {
            let response = Response(to: configuration) { write in
                for _ in 0..<partCount { try await write([UInt8(ascii: " ")]) }
            }
            let writer = SlowClock.Writer(clock: clock)
            if isAnswered {
                try await response.body.write(writer)
            } else {
                await #expect(throws: SlowClient.self) { try await response.body.write(writer) }
            }
        }
    }
}

/// Advances by a second with each part that a client reads.
private final class SlowClock: Sendable {
    fileprivate let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    struct Writer: ResponseBodyWriter {
        let clock: SlowClock

        func write(_: ByteBuffer) { clock.instant.withLock { $0 += .seconds(1) } }

        func finish(_: HTTPFields?) {}
    }
}
