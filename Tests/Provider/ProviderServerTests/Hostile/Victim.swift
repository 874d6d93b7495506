import Foundation
import HTTP2Engine
import NIOCore
import NIOPosix
import ProviderServer
import RequestWire
import Synchronization
import TestSupport
import Testing

/// All hostile suites, serialized because they measure latencies.
@Suite(.serialized) enum HostileTests {}

/// A well-behaved client beside an attack: sends sequential requests and measures their latency.
struct Victim {
    private let client: RawClient
    /// The CPU clock of the server's event loop.
    private let loopClock: ThreadClock
    private var stream: Int32 = 1
    private let clock = ContinuousClock()
    /// Bytes of answers not yet returned to the connection's window.
    private var takenWindow: UInt32 = 0
    /// It returns half of the initial window (RFC 9113 §6.9.2) at a time, as libraries do.
    private static let returnedWindow: UInt32 = 32_767

    /// Requests of one measurement.
    private static let count = 100

    init(_ client: RawClient, _ loopClock: ThreadClock) async throws {
        self.client = client
        self.loopClock = loopClock
        // One request stays open, so that the victim is not idle while others delay it.
        try await client.send(
            preface + frame(FrameType.settings, flags: Flag.ack) + headers(path: "/hold", stream: stream))
    }

    /// The second-slowest of a hundred answers, or of as many as `isOver` determines.
    mutating func p99(until isOver: () -> Bool = { true }) async throws -> Latency {
        var elapsed: [Duration] = []
        var busy: [Duration] = []
        while elapsed.count < Self.count || !isOver() {
            stream += 2
            let start = clock.now
            let begin = loopClock.nanoseconds
            try await client.send(headers(path: "/clock", stream: stream))
            let asked = stream
            let answer = try await client.frame(
                for: "the victim's answer on stream \(asked), number \(elapsed.count + 1) of this measurement"
            ) { $0.type == FrameType.data && $0.stream == asked }
            elapsed.append(clock.now - start)
            let end = answer.flatMap { Int(String(decoding: $0.payload, as: UTF8.self)) }
            busy.append(.nanoseconds(try #require(end, "the victim got no answer on stream \(stream)") - begin))
            try await returnWindow(answer?.payload.count ?? 0)
        }
        let index = elapsed.count * 99 / 100 - 1
        return Latency(elapsed: elapsed.sorted()[index], busy: busy.sorted()[index])
    }
}

extension Victim {
    /// Without it thousands of answers would exhaust the connection's window.
    private mutating func returnWindow(_ byteCount: Int) async throws {
        takenWindow += UInt32(byteCount)
        guard takenWindow >= Self.returnedWindow else { return }
        try await client.send(frame(FrameType.windowUpdate, bigEndian(takenWindow)))
        takenWindow = 0
    }
}

/// How long a victim waits for an answer.
struct Latency {
    var elapsed: Duration
    /// CPU time of the server's event loop, independent of other load on this machine.
    var busy: Duration

    /// The bar: within five times the latency before plus 20 ms, and the event loop must not block.
    func isWithin(bar baseline: Self) -> Bool {
        busy <= baseline.busy * 5 + .milliseconds(20) && elapsed <= baseline.elapsed * 5 + .seconds(1)
    }
}

/// Runs an attack beside a victim on the same event loop and checks every answer, the latency, memory within 5 MB,
/// and that all connections are closed.
/// - Parameters:
///   - name: The attack, when the test has several.
///   - rounds: How often the attack runs, so that it lasts long enough.
///   - attackers: How many attack at once, in each round.
func besiege(
    _ limits: ConnectionLimits = ConnectionLimits(), name: String = "", traffic: Traffic = .clearText,
    rounds: Int = 5, attackers: Int = 1,
    ends attack: AttackClass?, _ body: @escaping @Sendable (_ port: Int) async throws -> Void
) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
        let loopClock = try await group.next().submit { ThreadClock.ofThisThread }.get()
        try await withServer(traffic, limits: limits, group: group) { port, server, _ in
            try await withVictim(traffic, port, loopClock) { victim in
                var victim = victim
                _ = try await victim.p99()
                let baseline = try await victim.p99()
                let memory = allocatedByteCount()
                var besieged: Latency?
                // Repeated if the bar is missed: a hundred answers are a small sample.
                for _ in 0..<5 where besieged?.isWithin(bar: baseline) != true {
                    let isOver = Flagged()
                    async let attack: Void = {
                        defer { isOver.set() }
                        for _ in 0..<rounds {
                            try await withThrowingDiscardingTaskGroup { round in
                                for _ in 0..<attackers { round.addTask { try await body(port) } }
                            }
                        }
                    }()
                    besieged = try await victim.p99 { isOver.isSet }
                    try await attack
                    if isSanitized { break }
                }
                let latency = try #require(besieged)
                #expect(latency.isWithin(bar: baseline) || isSanitized, "\(latency), \(baseline) before")
                // The server closes its ends in the next turns of its event loop.
                try await Patience.wait(for: "the end of the attack's connections") { server.openConnectionCount <= 1 }
                var growth = 0
                try await Patience.wait(for: "the attack's memory to be freed, but 5 MB") {
                    growth = allocatedByteCount() - memory
                    return growth < 5 << 20 || isSanitized
                }
                try AttackTable.add(name, ends: server.attacks, baseline: baseline, besieged: latency, growth: growth)
            }
            if let attack { #expect(server.attacks[attack] > 0, "\(attack)") }
        }
    } catch {
        try await group.shutdownGracefully()
        throw error
    }
    try await group.shutdownGracefully()
}

/// Under `make sanitize` the measurement would be of the sanitizer.
private let isSanitized = ProcessInfo.processInfo.environment["SANITIZED"] != nil

private func withVictim(
    _ traffic: Traffic, _ port: Int, _ loopClock: ThreadClock, _ body: (Victim) async throws -> Void
) async throws {
    try await RawClient.withConnection(to: port) { client in
        if traffic == .provider { try await client.startTLS() }
        try await body(try await Victim(client, loopClock))
    }
}

/// A flag shared by two tasks.
final class Flagged: Sendable {
    private let bit = Atomic<Bool>(false)
    var isSet: Bool { bit.load(ordering: .relaxed) }
    func set() { bit.store(true, ordering: .relaxed) }
}

extension RawClient {
    /// Code and text of the server's GOAWAY; `nil` if it closes without one.
    func goodbye(
        file: StaticString = #fileID, line: Int = #line
    ) async throws -> (code: UInt32, text: String)? {
        let goAway = try await frame(for: "GOAWAY", file: file, line: line) { $0.type == FrameType.goAway }
        guard let frame = goAway else { return nil }
        let code = frame.payload[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
        return (code, String(decoding: frame.payload.dropFirst(8), as: UTF8.self))
    }
}
