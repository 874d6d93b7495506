import HTTP2Engine
import NIOCore
import ProviderServer
import RequestWire
import TestSupport
import Testing

/// Injected faults do not break correct behaviour.
@Suite(.timeLimit(.minutes(5))) struct FaultTests {
    @Test func `a closing GOAWAY waits for the answers it promises`() async throws {
        try await withClient(.clearText) { client, _, log in
            try await client.send(
                preface + headers(path: "/later", stream: 1) + headers(path: "/goaway", stream: 3)
                    + headers(path: "/body", stream: 5))
            let notice = try await client.frame { $0.type == FrameType.goAway }
            #expect(notice?.payload.prefix(4) == [0, 0, 0, 1])
            let answer = try await client.frame { $0.type == FrameType.headers }
            #expect(answer?.stream == 1)
            // No answer to the others, then the end.
            #expect(try await client.rest().isEmpty)
        }
    }

    struct Burst: Sendable, CustomTestStringConvertible {
        var path: String
        /// Which of eight requests uses this path.
        var place: Int
        var inOneWrite: Bool
        var testDescription: String { "\(path) at \(place), \(inOneWrite ? "one write" : "one write each")" }
    }

    static let bursts = ["/linger", "/leave", "/slow-leave"].flatMap { path in
        [0, 3, 7].flatMap { place in [true, false].map { Burst(path: path, place: place, inOneWrite: $0) } }
    }

    @Test(arguments: bursts)
    func `streams above an announced last stream are not answered, and it never increases`(_ burst: Burst) async throws
    {
        try await withClient(.clearText) { client, server, _ in
            let requests = (0..<8).map { index in
                headers(path: index == burst.place ? burst.path : "/", stream: Int32(2 * index + 1))
            }
            try await client.send(preface)
            for write in burst.inOneWrite ? [requests.flatMap(\.self)] : requests { try await client.send(write) }
            var frames = try await Self.frames(of: client) { $0.type == FrameType.goAway }
            // Requests after the GOAWAY are rejected as well; then the server stops.
            try await client.send(headers(path: "/", stream: 17) + frame(FrameType.ping, bigEndian(0) + bigEndian(0)))
            frames += try await Self.frames(of: client) { $0.type == FrameType.ping }
            async let stop: Void = server.stop(grace: .seconds(30))
            let notice = try await Self.frames(of: client) { $0.type == FrameType.ping }
            frames += notice
            let ping = try #require(notice.last)
            try await client.send(frame(FrameType.ping, flags: Flag.ack, ping.payload))
            frames += try await Self.frames(of: client) { _ in false }
            await stop

            let answered = Set(frames.filter { $0.type == FrameType.headers }.map(\.stream))
            let refused = Set(frames.filter { $0.type == FrameType.reset && $0.payload == bigEndian(7) }.map(\.stream))
            let lasts = frames.filter { $0.type == FrameType.goAway }.map { goAway in
                goAway.payload.prefix(4).reduce(0) { $0 << 8 | Int32($1) }
            }
            let last = try #require(lasts.first)
            #expect(lasts.count >= 2 && lasts.allSatisfy { $0 == last })
            #expect(last == answered.max() ?? 0, "it is the highest stream that was processed")
            let left = Int32(2 * burst.place + 1)
            let isLeft = burst.path != "/linger"
            #expect(answered == Set(stride(from: 1, through: last, by: 2)).subtracting(isLeft ? [left] : []))
            let above = Set(stride(from: last == 0 ? 1 : last + 2, through: 17, by: 2))
            #expect(refused.isSuperset(of: above.subtracting([left])))
            if isLeft, left < last { #expect(refused.contains(left)) }
        }
    }

    @Test func `a request that ends after the GOAWAY is rejected`() async throws {
        try await withServer(.clearText) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(preface + headers(stream: 5) + headers(path: "/linger", stream: 7))
                _ = try await Self.frames(of: client) { $0.type == FrameType.goAway }
                // The highest stream was processed first, so this one may still be served.
                try await client.send(frame(FrameType.data, flags: Flag.endStream, stream: 5))
                let served = try await client.frame { $0.stream == 5 }
                #expect(served?.type == FrameType.headers)
            }
            try await RawClient.withConnection(to: port) { client in
                try await client.send(preface + headers(path: "/", stream: 1) + headers(stream: 5))
                try await client.send(headers(path: "/leave", stream: 7))
                let goAway = try await Self.frames(of: client) { $0.type == FrameType.goAway }.last
                #expect(goAway?.payload.prefix(4) == [0, 0, 0, 5], "what is under way may end")
            }
            try await RawClient.withConnection(to: port) { client in
                try await client.send(preface + headers(path: "/slow-leave", stream: 1) + headers(stream: 3))
                let goAway = try await Self.frames(of: client) { $0.type == FrameType.goAway }.last
                #expect(goAway?.payload.prefix(4) == [0, 0, 0, 0])
                try await client.send(frame(FrameType.data, flags: Flag.endStream, stream: 3))
                let refused = try await client.frame { $0.stream == 3 }
                #expect(refused == SentFrame(type: FrameType.reset, flags: 0, stream: 3, payload: bigEndian(7)))
            }
        }
    }

    /// The frames up to a matching one, or to the end.
    private static func frames(
        of client: RawClient, upTo matches: (SentFrame) -> Bool
    ) async throws -> [SentFrame] {
        var frames: [SentFrame] = []
        while true {
            let next = try await client.frames()
            frames += next
            if next.isEmpty || next.contains(where: matches) { return frames }
        }
    }

    @Test func `a close arrives as end of stream, even if the client still sends`() async throws {
        try await withClient(.clearText) { client, _, _ in
            try await client.send(preface + headers(path: "/close", stream: 1) + headers(path: "/large", stream: 3))
            let body = frame(FrameType.data, stream: 5, Array(repeating: 0, count: 16_000))
            // Once the client has received the end, its own side is closed too.
            do {
                for _ in 0..<20 { try await client.send(body) }
            } catch ChannelError.ioOnClosedChannel {}
            // A reset would throw here.
            _ = try await client.restOrReset()
        }
    }

    @Test func `a silenced connection sends nothing even when it times out`() async throws {
        var limits = ConnectionLimits.patient
        limits.settingsTimeout = .milliseconds(100)
        try await withServer(.clearText, limits: limits) { port, server, log in
            try await RawClient.withConnection(to: port) { silent in
                try await silent.send(preface + headers(path: "/silence", stream: 1))
                await log.wait(for: "request 0")
                // Its timeout started later and has passed.
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(preface)
                    #expect(try await client.goodbye()?.code == HTTP2ErrorCode.settingsTimeout.number)
                }
                #expect(server.attacks[.slowSettings] == 1)
                #expect(server.openConnectionCount >= 1)
            }
        }
    }
}
