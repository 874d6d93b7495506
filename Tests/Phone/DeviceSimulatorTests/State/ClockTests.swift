import DeviceModel
import DeviceSimulator
import Synchronization
import Testing
import Time

/// The gateway's clock.
@Suite struct SimulatedClockTests {
    /// A manual substitute for real time.
    final class RealTime: Sendable {
        let instant = Mutex(Instant.at(0))

        func pass(_ milliseconds: Int64) { instant.withLock { $0.milliseconds += milliseconds } }
    }

    let real = RealTime()
    let clock: SimulatedClock

    init() {
        let real = real
        clock = SimulatedClock { real.instant.withLock { $0 } }
    }

    @Test func followsRealTimeAtFirst() {
        #expect(clock.mode == .real)
        #expect(clock.now() == .at(0))
        real.pass(5)
        #expect(clock.now() == .at(5))
        #expect(throws: SimulatedClock.Problem.isRunning) { try clock.advance(by: 1) }
    }

    @Test func standsStillUntilItIsMoved() throws {
        try clock.stop()
        real.pass(5)
        #expect(clock.mode == .manual)
        #expect(clock.now() == .at(0))
        #expect(try clock.advance(by: 1000) == .at(1000))
        #expect(clock.now() == .at(1000))
        try clock.stop(at: .at(2000))
        #expect(clock.now() == .at(2000))
    }

    @Test func neverGoesBack() throws {
        #expect(throws: SimulatedClock.Problem.goesBack(from: .at(0), to: .at(-1))) { try clock.stop(at: .at(-1)) }
        #expect(clock.mode == .real)
        try clock.stop(at: .at(10))
        #expect(throws: SimulatedClock.Problem.goesBack(from: .at(10), to: .at(9))) { try clock.stop(at: .at(9)) }
        #expect(throws: SimulatedClock.Problem.goesBack(from: .at(10), to: .at(9))) { try clock.advance(by: -1) }
        #expect(throws: SimulatedClock.Problem.self) { try clock.advance(by: .max) }
        #expect(throws: SimulatedClock.Problem.goesBack(from: .at(10), to: .at(0))) { try clock.follow() }
        #expect(clock.now() == .at(10))
        #expect(clock.mode == .manual)
    }

    @Test func followsRealTimeAgain() throws {
        try clock.stop()
        real.pass(5)
        try clock.follow()
        #expect(clock.now() == .at(5))
        #expect(clock.mode == .real)
        try clock.follow()
    }

    @Test func runsFasterThanRealTime() throws {
        real.pass(5)
        try clock.run(scale: 60, from: .at(1000))
        #expect(clock.mode == .scaled && clock.scale == 60)
        real.pass(10)
        #expect(clock.now() == .at(1600))
        #expect(clock.delay(until: .at(1601)) == 1 && clock.delay(until: .at(1720)) == 2)
        #expect(clock.delay(until: .at(0)) == 0)
        try clock.run(scale: 2)
        real.pass(10)
        #expect(clock.now() == .at(1620))
        real.pass(-100)
        #expect(clock.now() == .at(1600), "not before it was set")
        #expect(throws: SimulatedClock.Problem.isRunning) { try clock.advance(by: 1) }
        #expect(throws: SimulatedClock.Problem.self) { try clock.follow() }
        try clock.stop()
        #expect(clock.now() == .at(1600) && clock.scale == nil && clock.delay(until: .at(9999)) == nil)
    }

    @Test func isRestoredFromItsText() throws {
        let other = SimulatedClock { [real] in real.instant.withLock { $0 } }
        func expectSame() {
            other.restore(clock.text)
            #expect(other.now() == clock.now() && other.mode == clock.mode && other.scale == clock.scale)
        }
        #expect(clock.text == nil)
        try clock.stop(at: .at(70))
        expectSame()
        try clock.run(scale: 1.5)
        real.pass(1000)
        expectSame()
        #expect(other.now() == .at(1570), "time went on")
        clock.restore(nil)
        expectSame()
        other.restore("what is this")
        #expect(other.mode == .real)
    }

    @Test func explainsTheError() {
        let problem = SimulatedClock.Problem.goesBack(from: .at(10), to: .at(0))
        #expect(problem.message.contains("2026-01-05T00:00:00.010Z"))
        #expect(SimulatedClock.Problem.isRunning.message.contains("manual"))
    }
}
