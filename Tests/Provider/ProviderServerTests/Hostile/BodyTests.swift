import Foundation
import HTTP2Engine
import NIOCore
import NIOPosix
import ProviderServer
import RequestWire
import TestSupport
import Testing

extension HostileTests {
    /// Bodies without end, and streams without bodies.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct BodyTests {
        static let ready = preface + frame(FrameType.settings, flags: Flag.ack)

        @Test func `an endless body is answered early, and the rest is dropped`() async throws {
            let part = frame(FrameType.data, stream: 1, Array(repeating: 0x78, count: 16384))
            let body = (0..<200).flatMap { _ in part }
            try await besiege(ends: nil) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready + headers() + body + headers(stream: 3, endStream: true))
                    let answer = try await client.frame { $0.type == FrameType.headers }
                    #expect(answer?.stream == 1)
                    let reset = try await client.frame { $0.type == FrameType.reset }
                    #expect(reset?.payload == bigEndian(HTTP2ErrorCode.noError.number))
                    let next = try await client.frame { $0.type == FrameType.headers }
                    #expect(next?.stream == 3)
                }
            }
        }

        @Test func `open streams of one client are bounded in number and time`() async throws {
            var limits = ConnectionLimits()
            limits.requestTimeout = .milliseconds(300)
            // The server of these tests announces 100 streams.
            let hoard = (0..<150).flatMap { headers(stream: $0 * 2 + 1) }
            try await besiege(limits, rounds: 2, ends: .slowRequest) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready + hoard)
                    var codes: [[UInt8]: Int] = [:]
                    while codes.values.reduce(0, +) < 150 {
                        let reset = try await client.frame { $0.type == FrameType.reset }
                        codes[try #require(reset).payload, default: 0] += 1
                    }
                    #expect(codes[bigEndian(HTTP2ErrorCode.refusedStream.number)] == 50)
                    #expect(codes[bigEndian(HTTP2ErrorCode.cancel.number)] == 100)
                    try await client.send(headers(stream: 301, endStream: true))
                    let answer = try await client.frame { $0.type == FrameType.headers }
                    #expect(answer?.stream == 301)
                }
            }
        }
    }

    /// Thousands of connections.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct ConnectionTests {
        @Test(
            arguments: [
                (\ConnectionLimits.connections, AttackClass.connections),
                (\ConnectionLimits.connectionsPerAddress, AttackClass.connectionsPerAddress),
            ] as [(any WritableKeyPath<ConnectionLimits, Int> & Sendable, AttackClass)])
        func `a connection above the limit is closed, and one that ends frees its place`(
            _ limit: any WritableKeyPath<ConnectionLimits, Int> & Sendable, _ attack: AttackClass
        ) async throws {
            var limits = ConnectionLimits()
            limits[keyPath: limit] = 2
            let log = LogLines()
            try await withServer(.clearText, limits: limits, logger: log.logger) { port, server, _ in
                try await RawClient.withConnection(to: port) { first in
                    try await first.send(preface + headers(endStream: true))
                    #expect(try await first.frame { $0.type == FrameType.headers } != nil)
                    try await RawClient.withConnection(to: port) { second in
                        try await second.send(preface + headers(endStream: true))
                        #expect(try await second.frame { $0.type == FrameType.headers } != nil)
                        try await RawClient.withConnection(to: port) { third in
                            let rest = try await third.rest()
                            #expect(rest.isEmpty)
                        }
                        #expect(server.attacks[attack] == 1)
                        #expect(log.lines.map { $0.metadata["limit"] } == [attack.rawValue])
                        #expect(server.openConnectionCount == 2)
                    }
                    try await Patience.wait(for: "the end of the second") { server.openConnectionCount <= 1 }
                    try await RawClient.withConnection(to: port) { next in
                        try await next.send(preface + headers(endStream: true))
                        #expect(try await next.frame { $0.type == FrameType.headers } != nil)
                    }
                }
            }
        }

        /// Connections that send nothing, or too little to be served.
        @Test(
            arguments: [
                (.clearText, ""), (.clearText, "PRI * HT"), (.clearText, "POST / HTTP/1.1\r\n"), (.provider, ""),
                (.provider, "\u{16}\u{3}\u{1}"),
            ] as [(Traffic, String)],
            [
                [\ConnectionLimits.connections], [\.connectionsPerAddress], [\.connections, \.connectionsPerAddress],
            ] as [[any WritableKeyPath<ConnectionLimits, Int> & Sendable]])
        func `at the limit, the oldest connection without a preface is closed`(
            _ silence: (traffic: Traffic, bytes: String),
            _ reached: [any WritableKeyPath<ConnectionLimits, Int> & Sendable]
        ) async throws {
            var limits = ConnectionLimits.patient
            for limit in reached { limits[keyPath: limit] = 3 }
            let traffic = silence.traffic
            let log = LogLines()
            try await withServer(traffic, limits: limits, logger: log.logger) { port, server, _ in
                try await RawClient.withConnection(to: port) { served in
                    try await served.ask(1, over: traffic)
                    try await RawClient.withConnection(to: port) { oldest in
                        try await oldest.send(silence.bytes)
                        try await Patience.wait(for: "the second") { server.openConnectionCount == 2 }
                        try await RawClient.withConnection(to: port) { newer in
                            try await Patience.wait(for: "the third") { server.openConnectionCount == 3 }
                            try await RawClient.withConnection(to: port) { next in
                                try await next.ask(1, over: traffic)
                                _ = try await oldest.rest()
                                #expect(server.openConnectionCount == 3)
                                #expect(server.attacks[.connections] + server.attacks[.connectionsPerAddress] == 1)
                                let evictions = log.lines.filter { $0.metadata["limit"] != nil }
                                #expect(evictions.count == 1)
                                #expect(evictions.first?.message.hasPrefix("Connection ended by a limit") == true)
                                // Only silent connections are closed; the newer one may still start.
                                try await newer.ask(1, over: traffic)
                                try await served.ask(3)
                            }
                        }
                    }
                }
            }
        }

        /// Only connections past the handshake are recorded.
        @Test(
            arguments: [(.clearText, "PRI * HTTP/2.0\r\n"), (.clearText, "POST / HTTP"), (.provider, "")]
                as [(Traffic, String)])
        func `a connection closed at the limit is counted as such`(
            _ silence: (traffic: Traffic, bytes: String)
        ) async throws {
            var limits = ConnectionLimits.patient
            limits.connections = 1
            try await withServer(silence.traffic, limits: limits) { port, server, log in
                try await RawClient.withConnection(to: port) { oldest in
                    if silence.traffic == .provider { try await oldest.startTLS() }
                    if !silence.bytes.isEmpty { try await oldest.send(silence.bytes) }
                    await log.wait(for: "connected")
                    try await RawClient.withConnection(to: port) { next in
                        await log.wait(for: "ended by Connections")
                        try await next.ask(1, over: silence.traffic)
                    }
                }
            }
        }

        /// Incomplete handshakes: about nine kilobytes each, scattered over the heap.
        @Test func `memory of many connections is returned to the system`() async throws {
            try await withServer(.provider) { port, server, _ in
                try await RawClient.withConnection(to: port) { try await $0.ask(1, over: .provider) }
                let before = allocatedByteCount()
                var open: [any Channel] = []
                for _ in 0..<3000 {
                    open.append(
                        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                            .connect(host: "127.0.0.1", port: port).get())
                }
                try await Patience.wait(for: "all of them") { server.openConnectionCount == 3000 }
                let grown = allocatedByteCount() - before
                #expect(grown > 10 << 20)
                let full = residentByteCount()
                for channel in open { channel.close(promise: nil) }
                open = []
                // More than half: the client's part remains, and memory is returned on request only.
                try await Patience.wait(for: "memory to be given back") { full - residentByteCount() > grown / 4 }
            }
        }

        @Test func `connections that open and close leave no memory behind`() async throws {
            try await besiege(rounds: 15, ends: nil) { port in
                try await withThrowingTaskGroup(of: Void.self) { tasks in
                    for _ in 0..<20 {
                        tasks.addTask {
                            try await RawClient.withConnection(to: port) { client in
                                try await client.send(preface)
                                _ = try await client.frames()
                            }
                        }
                    }
                    try await tasks.waitForAll()
                }
            }
        }
    }
}

/// The process's resident memory in bytes; 0 without `/proc`.
private func residentByteCount() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
}

extension RawClient {
    /// Sends a request and reads its answer.
    /// - Parameter traffic: Of the listener; for the first request.
    fileprivate func ask(_ stream: Int32, over traffic: Traffic? = nil) async throws {
        if traffic == .provider { try await startTLS() }
        if traffic != nil { try await send(preface + TestSupport.frame(FrameType.settings, flags: Flag.ack)) }
        try await send(headers(stream: stream, endStream: true))
        let answer = try await frame(for: "an answer on stream \(stream)") { $0.type == FrameType.headers }
        #expect(answer?.stream == stream)
    }
}
