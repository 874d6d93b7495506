import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import TestSupport
import Testing

/// Measured alone, because other tests allocate too: `PUSHCOTE_MEASURE=1 swift test -c release --filter MemoryTests`.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["PUSHCOTE_MEASURE"] != nil)) struct MemoryTests {
    static let payload = Array(
        #"""
        {"aps":{"alert":{"title":"Game Request","subtitle":"Five Card Draw","body":"Bob wants to play poker with you"},\#
        "badge":3,"sound":"default","thread-id":"games","category":"GAME_INVITATION"},"gameID":"1234567"}
        """#.utf8)

    @Test func aMillionNotificationsStayBelow450BytesEach() {
        let deviceCount = 100_000
        let count = 1_000_000
        let before = allocatedByteCount()
        let simulator = DeviceSimulator.make(limits: InboxLimits(total: count))
        let registrations = (0..<deviceCount).map { simulator.registered("device-\($0)") }
        let start = ContinuousClock.now
        for number in 0..<count {
            let registration = registrations[number &* 7919 % deviceCount]
            simulator.receive(.make(Self.payload, to: registration), for: registration)
        }
        let time = ContinuousClock.now - start
        let byteCount = Double(allocatedByteCount() - before) / Double(count) - Double(Self.payload.count)
        print("\(byteCount) bytes per notification beyond \(Self.payload.count) of payload; \(time) for \(count)")
        #expect(simulator.counters.notifications == count)
        #expect(byteCount < 450)
    }

    @Test func measuresWhatAPushCosts() {
        let simulator = DeviceSimulator.make()
        let phone = simulator.registered("Phone")
        let pushes = (0..<2000).map { Push.make(Self.payload, to: phone, id: $0) }
        let count = 1_000_000
        report("scan", count) { _ in _ = PayloadDigest(Self.payload.span.bytes) }
        report("registration(of:)", count) { _ in _ = simulator.registration(of: phone.token) }
        report("receive, inbox full", count) { simulator.receive(pushes[$0 % 2000], for: phone) }
        #expect(simulator.counters.counts.delivered == count)
    }

    private func report(_ name: String, _ count: Int, _ body: (Int) -> Void) {
        let time = ContinuousClock().measure { for number in 0..<count { body(number) } }
        print("\(name): \(Int(time / .nanoseconds(1)) / count) ns")
    }
}
