import DeviceModel
import DeviceSimulator
import Gateway
import Testing
import Time

/// The clock API.
@Suite(.admin, .timeLimit(.minutes(5))) struct ClockTests {
    @Test func theClockIsRealUntilItIsStopped() async throws {
        let real = try await admin.get("/api/v1/clock").text
        #expect(real == #"{"mode":"real","now":"2026-11-21T07:00:00.000Z"}"#)
        #expect(try await admin.send("POST", "/api/v1/clock/advance", #"{"by":"1s"}"#).status == 409)
        let stopped = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#).text
        #expect(stopped == #"{"mode":"manual","now":"2026-11-21T07:00:00.000Z"}"#)
        let moved = try await admin.send(
            "PUT", "/api/v1/clock", #"{"mode":"manual","now":"2026-11-21T17:00:00+09:00"}"#)
        #expect(moved.text == #"{"mode":"manual","now":"2026-11-21T08:00:00.000Z"}"#)
        let ahead = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"real"}"#)
        #expect(ahead.status == 409 && ahead.text.contains("the clock does not go back; pushcote clock reset"))
    }

    @Test func aResetClockFollowsRealTimeAtOnceAndDevicesRemain() async throws {
        let real = #"{"mode":"real","now":"2026-11-21T07:00:00.000Z"}"#
        _ = try await admin.send("PUT", "/api/v1/devices/phone", "{}")
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual","now":"2030-01-01T00:00:00Z"}"#)
        for _ in 1...2 {
            let answer = try await admin.send("POST", "/api/v1/clock/reset")
            #expect(answer.status == 200 && answer.text == real)
        }
        #expect(try await admin.get("/api/v1/clock").text == real)
        #expect(try await admin.get("/api/v1/devices/phone").status == 200)
        #expect(try await admin.send("POST", "/api/v1/clock/reset", #"{"to":"now"}"#).status == 400)
    }

    @Test func aResetWithoutKeepingDevicesReturnsTheClockToRealTime() async throws {
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual","now":"2030-01-01T00:00:00Z"}"#)
        _ = try await admin.send("POST", "/api/v1/reset", #"{"keep":["devices"]}"#)
        #expect(try await admin.get("/api/v1/clock").text.contains("2030"))
        _ = try await admin.send("POST", "/api/v1/reset")
        let real = try await admin.get("/api/v1/clock").text
        #expect(real == #"{"mode":"real","now":"2026-11-21T07:00:00.000Z"}"#)
    }

    static let steps = [
        (#"{"by":"PT1H"}"#, "08:00:00.000"), (#"{"by":"30s"}"#, "07:00:30.000"), (#"{"by":"250ms"}"#, "07:00:00.250"),
        (#"{"by":"PT1H30M0.5S"}"#, "08:30:00.500"), (#"{"to":"2026-11-21T07:00:05Z"}"#, "07:00:05.000"),
        (#"{"by":"0s"}"#, "07:00:00.000"),
    ]

    @Test(arguments: steps) func anAdvanceMovesByItsDuration(_ row: (body: String, now: String)) async throws {
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        let answer = try await admin.send("POST", "/api/v1/clock/advance", row.body).text
        #expect(
            answer
                == #"{"mode":"manual","now":"2026-11-21T\#(row.now)Z","devices":0,"eventCount":0,"events":[],"rest":[]}"#
        )
    }

    static let refusals = [
        ("PUT /api/v1/clock", "{}", 400, "'mode' is missing; accepted: real, manual or scaled"),
        ("PUT /api/v1/clock", #"{"mode":"fast"}"#, 400, "'mode' is 'fast'; accepted: real, manual or scaled"),
        ("PUT /api/v1/clock", #"{"mode":"scaled"}"#, 400, "'scale' is missing; accepted: such as 60"),
        ("PUT /api/v1/clock", #"{"scale":0.5}"#, 400, "'scale' is 0.5; accepted: a number from 1 to 3600"),
        ("PUT /api/v1/clock", #"{"scale":60,"mode":"real"}"#, 400, "'scale' goes with the mode scaled"),
        ("POST /api/v1/clock/advance", #"{"by":"1s","limit":1001}"#, 400, "'limit' is 1001"),
        ("PUT /api/v1/clock", #"{"mode":"manual","now":"noon"}"#, 400, "'now' is 'noon'; accepted: a time such as"),
        ("PUT /api/v1/clock", #"{"mode":"manual","now":"2026-11-21T06:00:00Z"}"#, 409, "is earlier"),
        (
            "PUT /api/v1/clock", #"{"mode":"manual","now":"2027-02-31T00:00:00Z"}"#, 400,
            "'now' is '2027-02-31T00:00:00Z'; accepted: a time such as"
        ),
        (
            "POST /api/v1/clock/advance", #"{"to":"2026-11-21T24:00:00Z"}"#, 400,
            "'to' is '2026-11-21T24:00:00Z'; accepted: a time"
        ),
        ("POST /api/v1/clock/advance", "{}", 400, "either 'by'"),
        ("POST /api/v1/clock/advance", #"{"by":"1s","to":"2027-01-01T00:00:00Z"}"#, 400, "either 'by'"),
        ("POST /api/v1/clock/advance", #"{"by":"soon"}"#, 400, "'by' is 'soon'"),
        ("POST /api/v1/clock/advance", #"{"by":"PT"}"#, 400, "'by' is 'PT'"),
        ("POST /api/v1/clock/advance", #"{"by":"20000d"}"#, 400, "at most ten years"),
        ("POST /api/v1/clock/advance", #"{"to":"2026-11-20T00:00:00Z"}"#, 409, "is earlier"),
        ("POST /api/v1/clock/advance", #"{"to":"9999-12-31T00:00:00Z"}"#, 409, "more than ten years later"),
        ("PUT /api/v1/clock", #"{"mode":"manual","now":"9999-12-31T00:00:00Z"}"#, 409, "more than ten years later"),
    ]

    @Test(arguments: refusals)
    func errorsNameTheMistake(_ row: (request: String, body: String, status: Int, words: String)) async throws {
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        let parts = row.request.split(separator: " ").map(String.init)
        let answer = try await admin.send(parts[0], parts[1], row.body)
        #expect(answer.status == row.status && answer.text.contains(row.words), "\(answer.text)")
        #expect(admin.gateway.now() == testTime)
    }

    /// Twenty local notifications that repeat every minute.
    private func remind(_ admin: AdminFixture) async throws {
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        _ = try await admin.send("PUT", "/api/v1/devices/phone", "{}")
        for number in 1...20 {
            let answer = try await admin.send(
                "POST", "/api/v1/devices/phone/local-notifications",
                #"{"app":"com.example.app","identifier":"\#(number)","content":{"title":"T"},"#
                    + #""trigger":{"type":"timeInterval","timeInterval":60,"repeats":true}}"#)
            #expect(answer.status < 300, "\(answer.text)")
        }
    }

    @Test("the clock passes through the times of an advance, so a push to the same device has little to catch up with")
    func passesThrough() async throws {
        try await remind(admin)
        let token = try admin.register()
        let end = testTime.advanced(by: 2 * .hour)
        async let advance = admin.send("POST", "/api/v1/clock/advance", #"{"by":"PT2H","limit":0}"#)
        var seen: Set<Instant> = []
        while admin.gateway.now() < end, !Task.isCancelled {
            seen.insert(admin.gateway.now())
            #expect(admin.push(token) == 200)
            await Task.yield()
        }
        #expect(try await advance.status == 200)
        #expect(seen.count > 10)
        #expect(admin.gateway.simulator.firedCount == 20 * 120)
    }

    @Test("an advance stops where more local notifications fire than its limit, and the next one goes on")
    func isBounded() async throws {
        try await remind(admin)
        let end = testTime.advanced(by: 2 * .hour)
        var problem: SimulatedClock.Problem?
        do throws(SimulatedClock.Problem) {
            try await admin.gateway.advanceClock(to: end, firing: 100)
        } catch {
            problem = error
        }
        let reached = admin.gateway.now()
        #expect(problem == .firesTooOften(limit: 100, reached: reached, to: end))
        #expect(problem?.message.contains("so the clock stopped at \(reached.text), before \(end.text)") == true)
        #expect(admin.gateway.clock.mode == .manual && testTime < reached && reached < end)
        try await admin.gateway.advanceClock(to: end)
        #expect(admin.gateway.now() == end)
        #expect(admin.gateway.simulator.firedCount == 20 * 120)
    }

    @Test("setting the clock stops where more local notifications fire than the limit", arguments: [nil, 60.0])
    func isBoundedWhenSet(_ scale: Double?) async throws {
        try await remind(admin)
        let end = testTime.advanced(by: 2 * .hour)
        var problem: SimulatedClock.Problem?
        do throws(SimulatedClock.Problem) {
            if let scale {
                try await admin.gateway.runClock(scale: scale, from: end, firing: 100)
            } else {
                try await admin.gateway.stopClock(at: end, firing: 100)
            }
        } catch {
            problem = error
        }
        #expect(problem == .firesTooOften(limit: 100, reached: admin.gateway.now(), to: end))
        #expect(admin.gateway.clock.mode == .manual && admin.gateway.now() < end)
        #expect(admin.gateway.simulator.firedCount <= 200)
    }

    @Test("a service extension that waits or runs does not lift the limit")
    func isBoundedBesideAnExtension() async throws {
        try await remind(admin)
        _ = try await admin.send("PUT", "/api/v1/apps/com.example.app", #"{"extension":{"command":["nobody"]}}"#)
        let token = try admin.register()
        #expect(admin.push(token, #"{"aps":{"alert":"Hi","mutable-content":1}}"#) == 200)
        #expect(admin.gateway.simulator.notification(1)?.state == .accepted)
        let end = testTime.advanced(by: 2 * .hour)
        await #expect(throws: SimulatedClock.Problem.self) {
            try await admin.gateway.advanceClock(to: end, firing: 100)
        }
        #expect(admin.gateway.now() < end)
        #expect(admin.gateway.simulator.firedCount <= 200)
    }

    @Test("S0-9 the summary appears at its scheduled time and completes pending waits")
    func everythingDueHappensInTime() async throws {
        _ = try await admin.send("PUT", "/api/v1/clock", #"{"mode":"manual"}"#)
        let scheduled =
            #"{"summary":{"isEnabled":true,"times":["08:00"]},"#
            + #""apps":{"com.example.app":{"scheduledDelivery":"enabled"}}}"#
        for name in ["phone", "pad"] { _ = try await admin.send("PUT", "/api/v1/devices/\(name)", scheduled) }
        for name in ["phone", "pad"] { #expect(admin.push(try admin.register(name)) == 200) }
        #expect(try await admin.get("/api/v1/clock").text.contains(#""nextDue":"2026-11-21T08:00:00.000Z""#))
        async let waited = admin.get("/api/v1/devices/phone/events?kind=summaryDelivered&wait=1m")
        await admin.waitForWaits(1)
        let early = try await admin.send("POST", "/api/v1/clock/advance", #"{"by":"59m"}"#).text
        #expect(early.hasSuffix(#""devices":0,"eventCount":0,"events":[],"rest":[]}"#))
        let late = try await admin.send("POST", "/api/v1/clock/advance", #"{"by":"2h"}"#).text
        #expect(late.hasPrefix(#"{"mode":"manual","now":"2026-11-21T09:59:00.000Z","devices":2,"eventCount":"#))
        #expect(late.contains(#"{"device":"pad","at":"2026-11-21T08:00:00.000Z","event":"summaryDelivered""#))
        #expect(try await waited.text.contains(#"{"at":"2026-11-21T08:00:00.000Z","event":"summaryDelivered""#))
    }

    @Test func dueEventsHappenBeforeEveryRequest() async throws {
        let token = try admin.register()
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":false}"#)
        let expiration = [
            (name: "apns-push-type", value: "alert"),
            (name: "apns-expiration", value: "\(testTime.milliseconds / 1000 + 60)"),
        ]
        #expect(admin.push(token, fields: expiration) == 200)
        // Bypasses the gateway's API, as real time does.
        try admin.gateway.clock.stop(at: Instant(milliseconds: testTime.milliseconds + 61_000))
        let text = try await admin.get("/api/v1/notifications?state=discarded").text
        #expect(text.contains(#""discardReason":"expired""#))
        #expect(text.contains(#""settledAt":"2026-11-21T07:01:00.000Z""#))
    }
}
