import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import NIOPosix
import Testing
import Time

@testable import PushcoteServer

/// Due events fire without a request.
@Suite(.timeLimit(.minutes(5))) struct DueServiceTests {
    /// A gateway whose clock starts at the given time and runs.
    private static func gateway(at start: Instant) -> Gateway {
        let began = ContinuousClock.now
        return Gateway(
            settings: GatewaySettings(), simulator: DeviceSimulator(deriveToken: Gateway.deriveToken), seed: 1,
            requestCapacity: 10, tokenCapacity: 10,
            now: { Instant(milliseconds: start.milliseconds + Int64((ContinuousClock.now - began) / .milliseconds(1))) }
        )
    }

    /// Sends a push to an offline device that expires at an instant.
    private static func push(_ gateway: Gateway, expiringAt instant: Instant) throws {
        try gateway.simulator.addDevice(named: "phone", at: gateway.now())
        var offline = DeviceConditions()
        offline.isOnline = false
        try gateway.simulator.perform(.conditions(offline), on: "phone", at: gateway.now())
        let payload = Array(#"{"aps":{"alert":"Hi"}}"#.utf8)
        let push = DirectPush(
            payload, to: "phone", topic: "com.example.app", environment: .sandbox,
            headers: [("apns-expiration", "\(instant.milliseconds / 1000)")])
        _ = try gateway.push(push)
    }

    /// Runs the service while the body runs.
    private static func withService(
        _ gateway: Gateway, _ body: @Sendable () async throws -> Void
    ) async throws {
        let service = DueService(gateway: gateway, loop: MultiThreadedEventLoopGroup.singleton.next())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await service.run() }
            try await body()
            // The service must end with its task, or the test would hang.
            tasks.cancelAll()
            try await tasks.waitForAll()
        }
    }

    @Test func aPushExpiresByItself() async throws {
        // So early that the push arrives before it expires, also on a busy machine.
        let gateway = Self.gateway(at: Instant(milliseconds: 1_795_244_398_000))
        try await Self.withService(gateway) {
            try Self.push(gateway, expiringAt: Instant(milliseconds: 1_795_244_401_000))
            let result = await gateway.simulator.wait(
                NotificationQuery(state: .discarded), timeout: .seconds(60))
            #expect(result.page.items.map(\.state) == [.discarded(.expired)])
            #expect(result.page.items.map(\.settledAt.milliseconds) == [1_795_244_401_000])
        }
    }

    @Test func anEarlierDueTimeIsNotMissed() async throws {
        let gateway = Self.gateway(at: Instant(milliseconds: 1_795_244_398_000))
        try await Self.withService(gateway) {
            var evening = DeviceConditions()
            var late = Focus()
            late.id = "late"
            late.schedule = [FocusSchedule()]
            evening.focus.modes = [late]
            try gateway.simulator.addDevice(named: "other", at: gateway.now())
            try gateway.simulator.perform(.conditions(evening), on: "other", at: gateway.now())
            try Self.push(gateway, expiringAt: Instant(milliseconds: 1_795_244_401_000))
            let result = await gateway.simulator.wait(
                NotificationQuery(state: .discarded), timeout: .seconds(60))
            #expect(result.outcome == .matched)
        }
    }

    @Test func nothingHappensWhileTheClockIsStopped() async throws {
        let gateway = Self.gateway(at: Instant(milliseconds: 1_795_244_398_000))
        try await Self.withService(gateway) {
            try await gateway.stopClock()
            try Self.push(gateway, expiringAt: Instant(milliseconds: 1_795_244_401_000))
            let early = await gateway.simulator.wait(
                NotificationQuery(state: .discarded), timeout: .milliseconds(200))
            #expect(early.outcome == .timedOut)
            try await gateway.followRealTime()
            let late = await gateway.simulator.wait(NotificationQuery(state: .discarded), timeout: .seconds(60))
            #expect(late.outcome == .matched)
        }
    }
}
