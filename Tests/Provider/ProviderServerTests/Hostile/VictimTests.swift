import NIOCore
import NIOPosix
import ProviderServer
import RequestWire
import TestSupport
import Testing

extension HostileTests {
    /// Tests of `Victim`, with which the other suites measure.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct VictimTests {
        /// More answers of eight digits than fit into a connection's initial window.
        private static let answers = 9000

        @Test func `the victim gets answers as long as it sends requests`() async throws {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loopClock = try await group.next().submit { ThreadClock.ofThisThread }.get()
            try await withClient(.clearText, group: group) { client, _, _ in
                var victim = try await Victim(client, loopClock)
                var asked = 0
                _ = try await victim.p99 {
                    asked += 1
                    return asked > Self.answers
                }
            }
            try await group.shutdownGracefully()
        }

        @Test func `a victim that only reads never counts as idle`() async throws {
            var limits = ConnectionLimits()
            limits.idleTimeout = .milliseconds(50)
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let loopClock = try await group.next().submit { ThreadClock.ofThisThread }.get()
            try await withServer(.clearText, limits: limits, group: group) { port, server, _ in
                try await RawClient.withConnection(to: port) { client in
                    var victim = try await Victim(client, loopClock)
                    // Others connect later and time out before its next request.
                    for _ in 0..<3 {
                        try await RawClient.withConnection(to: port) { other in
                            try await other.send(preface + frame(FrameType.settings, flags: Flag.ack))
                            #expect(try await other.goodbye()?.text == #"{"reason":"IdleTimeout"}"#)
                        }
                    }
                    _ = try await victim.p99()
                }
            }
            try await group.shutdownGracefully()
        }

        @Test func `a wait that times out reports what it waited for, and where`() async throws {
            try await withServer(.clearText) { port, _, _ in
                let error = await #expect(throws: OutOfPatience.self) {
                    try await RawClient.withConnection(to: port, patience: .milliseconds(200)) { client in
                        try await client.send(preface + headers(path: "/hold"))
                        _ = try await client.frame(for: "an answer on stream 1") { $0.stream == 1 }
                    }
                }
                let text = error?.description ?? ""
                #expect(
                    text.contains("VictimTests.swift:") && text.contains("waited 0.2 seconds for an answer on stream 1")
                )
            }
        }
    }
}
