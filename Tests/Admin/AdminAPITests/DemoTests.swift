import DeviceSimulator
import Gateway
import JSON
import Testing
import Time

@testable import AdminAPI

/// `POST /demo`.
@Suite(.admin, .timeLimit(.minutes(5))) struct DemoTests {
    @Test func theDayIsPlayedAndTheClockIsAsBefore() async throws {
        let before = try await Self.clock(admin)
        let answer = try await admin.send("POST", "/api/v1/demo")
        let body = JSONValue(answer.body.span.bytes) ?? [:]
        let steps = body["steps"]?.elements ?? []
        #expect(answer.status == 200 && body["date"] == .string("2026-11-20") && body["next"] == nil)
        #expect(steps.map { $0["time"]?.string } == DemoDay.steps.map(\.time))
        // What was shown of each push when it came, not now. No host runs the extension.
        let timings = steps.compactMap { $0["notification"] }.map { $0["timing"]?.string ?? $0["state"]?.string }
        let expected = [
            "deferredToSummary", "now", "silencedByFocus", "now", "deferredToSummary", "stored", "accepted",
            "deferredToSummary", "now", "accepted",
        ]
        #expect(timings == expected)
        #expect(steps.compactMap { $0["request"]?["reason"]?.string }.count == 1)
        #expect(steps.compactMap { $0["shown"]?.text } == [#"["Weather"]"#])
        #expect(try await Self.clock(admin) == before)
        // Nothing is in the future.
        let now = admin.gateway.now()
        let shown = admin.gateway.simulator.notifications().items
        #expect(shown.count == 10 && shown.allSatisfy { $0.settledAt < now })
    }

    private static func clock(_ admin: AdminFixture) async throws -> String {
        let answer = try await admin.get("/api/v1/clock")
        let body = JSONValue(answer.body.span.bytes) ?? [:]
        return [body["mode"], body["now"], body["scale"]].map { $0?.text ?? "-" }.joined(separator: " ")
    }

    /// The provider's view of the page shows it.
    @Test func theRejectedRequestIsAProviders() async throws {
        _ = try await admin.send("POST", "/api/v1/demo")
        let log = try await admin.get("/api/v1/requests?source=provider").text
        #expect(log.contains(#""source":"provider""#) && log.contains(#""status":4"#))
        let connections = try await admin.get("/api/v1/connections").text
        #expect(connections.contains(#""remoteAddress":"demo""#) && connections.contains("closedAt"))
    }

    @Test(arguments: [#"{"mode":"manual"}"#, #"{"mode":"manual","now":"2026-11-25T20:10:00Z"}"#, #"{"scale":60}"#])
    func theClockIsAsBefore(_ clock: String) async throws {
        #expect(try await admin.send("PUT", "/api/v1/clock", clock).status == 200)
        let before = admin.gateway.clock.text
        // The last push may be now.
        let date = clock.contains("20:10") ? "2026-11-25" : "2026-11-20"
        for _ in 1...2 {
            let answer = try await admin.send("POST", "/api/v1/demo").text
            #expect(answer.hasPrefix(#"{"date":"\#(date)""#))
            #expect(admin.gateway.clock.text == before)
        }
    }

    private static func problem(_ act: () async throws -> Void) async -> (any Error)? {
        do {
            try await act()
            return nil
        } catch {
            return error
        }
    }

    /// The clock is moved meanwhile, so the next step fails.
    @Test func theClockIsAsBeforeAFailure() async throws {
        let gateway = admin.gateway
        try await gateway.stopClock()
        let before = gateway.clock.text
        let past = gateway.now().advanced(by: .seconds(-86400))
        let problem = await Self.problem {
            try await gateway.visit(past) {
                try await gateway.stopClock(at: past.advanced(by: .seconds(60)))
                try await gateway.stopClock(at: past)
            }
        }
        #expect(problem is SimulatedClock.Problem)
        #expect(gateway.clock.text == before)
    }

    @Test func aStepIsPlayedOnTheClockAsItIs() async throws {
        let before = try await Self.clock(admin)
        var next: Int? = 0
        var count = 0
        while let step = next {
            let answer = try await admin.send("POST", "/api/v1/demo", #"{"step":\#(step)}"#)
            let body = JSONValue(answer.body.span.bytes) ?? [:]
            #expect(body["steps"]?.elements.count == 1 && body["date"] == nil)
            #expect(try await Self.clock(admin) == before)
            next = body["next"].flatMap { Int($0.text) }
            count += 1
        }
        #expect(count == DemoDay.steps.count)
        #expect(try await admin.send("POST", "/api/v1/demo", #"{"step":\#(count)}"#).status == 400)
    }

    @Test func twoAtATimeAreRejected() async throws {
        let turn = DemoTurn()
        let answer = try await turn.perform {
            await #expect(throws: AdminError.self) { try await turn.perform { DemoAnswer(steps: []) } }
            return DemoAnswer(steps: [], next: 1)
        }
        #expect(answer.next == 1)
        // A failure frees the turn.
        await #expect(throws: CancellationError.self) { try await turn.perform { throw CancellationError() } }
        #expect(try await turn.perform { DemoAnswer(steps: []) }.steps.isEmpty)
    }
}
