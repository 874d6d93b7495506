import Foundation
import ProviderServer
import RequestWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct GracefulStopTests {

    @Test func `stops with two GOAWAYs and finishes open streams`() async throws {
        try await withClient(.clearText) { client, server, log in
            try await client.send(preface + headers(path: "/hold", stream: 1))
            await log.wait(for: "request 0")
            async let stopped: Void = server.stop(grace: .seconds(30))
            let notice = try #require(try await client.frame { $0.type == FrameType.goAway })
            #expect(notice.payload == [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0] + Array(#"{"reason":"Shutdown"}"#.utf8))
            let ping = try #require(try await client.frame { $0.type == FrameType.ping })
            // A stream that the client opened before it received the GOAWAY is served.
            try await client.send(headers(path: "/release", stream: 3))
            try await client.send(frame(FrameType.ping, flags: Flag.ack, ping.payload))
            var answered: [Int32] = []
            var last: SentFrame?
            while last == nil || answered.count < 2 {
                let frames = try await client.frames()
                if frames.isEmpty { break }
                answered += frames.filter { $0.type == FrameType.headers }.map(\.stream)
                last = frames.last { $0.type == FrameType.goAway } ?? last
            }
            #expect(answered.sorted() == [1, 3])
            #expect(last?.payload == [0, 0, 0, 3, 0, 0, 0, 0] + Array(#"{"reason":"Shutdown"}"#.utf8))
            #expect(try await client.rest().isEmpty)
            await stopped
        }
    }

    @Test func `an idle client that reads nothing is disconnected long before the grace period ends`() async throws {
        for traffic in [Traffic.clearText, .provider] {
            try await withClient(traffic, noticeTimeout: ServerConfiguration().noticeTimeout) { client, server, _ in
                try await client.send(preface + headers(stream: 1, endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
                let start = ContinuousClock.now
                await server.stop(grace: .seconds(60))
                #expect(ContinuousClock.now - start < .seconds(30))
                // test_lifecycle.py reads what it was sent.
                _ = try await client.rest()
            }
        }
    }

    @Test func `a stream that its client reset does not count as open`() async throws {
        try await withClient(.clearText) { client, server, log in
            try await client.send(preface + headers(path: "/lose", stream: 1))
            try await client.send(frame(FrameType.reset, stream: 1, bigEndian(8)))
            await log.wait(for: "abandoned")
            try await client.send(headers(path: "/later", stream: 3))
            async let stopped: Void = server.stop(grace: .seconds(30))
            var frames: [SentFrame] = []
            while let next = try await client.frame(where: { _ in true }) {
                frames.append(next)
                guard next.type == FrameType.ping else { continue }
                try await client.send(frame(FrameType.ping, flags: Flag.ack, next.payload))
            }
            #expect(frames.contains { $0.type == FrameType.headers && $0.stream == 3 })
            await stopped
        }
    }

    @Test func `an HTTP/1.1 request whose body is still arriving is answered`() async throws {
        try await withServer(.clearText) { port, server, log in
            try await RawClient.withConnection(to: port) { client in
                // The answer to the first shows that the head of the second has been read.
                let head = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: "
                try await client.send(head + "0\r\n\r\n" + head + "2\r\n\r\n")
                await log.wait(for: "request 0")
                async let stopped: Void = server.stop(grace: .seconds(30))
                while (try? await RawClient.withConnection(to: port) { _ in }) != nil {}
                try await client.send("{}")
                let answers = String(decoding: try await client.rest(), as: UTF8.self)
                #expect(answers.components(separatedBy: "HTTP/1.1 200").count == 3, "\(answers)")
                await stopped
            }
        }
    }

    @Test func `an unresponsive client is disconnected after the grace period`() async throws {
        try await withClient(.clearText) { client, server, log in
            try await client.send(preface + headers(path: "/hold", stream: 1))
            await log.wait(for: "request 0")
            await server.stop(grace: .milliseconds(50))
            _ = try await client.rest()
        }
    }

    @Test func `stops listening`() async throws {
        var isRefused = false
        // Another test may reuse the port at once, but not three times.
        for _ in 0..<3 where !isRefused {
            try await withServer(.clearText) { port, server, _ in
                await server.stop(grace: .zero)
                isRefused = (try? await RawClient.withConnection(to: port) { _ in }) == nil
            }
        }
        #expect(isRefused)
    }

    @Test func `idle HTTP/1.1 connections are closed at once`() async throws {
        try await withClient(.clearText) { client, server, log in
            try await client.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n")
            await log.wait(for: "request 0")
            _ = try await client.text(until: "\r\n\r\n")
            await server.stop(grace: .seconds(30))
            #expect(try await client.rest().isEmpty)
        }
    }
}
