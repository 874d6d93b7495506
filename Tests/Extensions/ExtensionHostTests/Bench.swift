import ChildProcesses
import DeviceModel
import Foundation
import JSON
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing
import Time

@testable import ExtensionHost

/// A host with a manual clock, a temporary folder, and awaitable runs.
final class Bench: Sendable {
    struct Finished: Sendable {
        var request: ExtensionRequest
        var run: ExtensionRun
    }

    private struct State {
        var finished: [UInt64: Finished] = [:]
        var order: [UInt64] = []
        var callCount = 0
    }

    let host: ExtensionHost
    let folder: String
    let clock: TestClock
    private let state: Mutex<State>
    private let waits = Waits()

    /// The last chance is long enough for a busy machine; tests in which it passes shorten it.
    init(
        edit: (inout ExtensionSettings) -> Void = { _ in },
        center: @escaping @Sendable (ExtensionRequest, ExtensionRun.CenterCall) -> CenterReply = { _, _ in
            .result(.null)
        }
    ) {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("pushcote-\(UUID().uuidString)").path
        var settings = ExtensionSettings(folder: folder + "/extensions")
        settings.expireAfter = .seconds(29)
        settings.killAfter = .seconds(59)
        edit(&settings)
        let clock = TestClock()
        self.clock = clock
        let owner = Owner(clock: clock, center: center)
        self.state = Mutex(State())
        host = ExtensionHost(settings: settings, loops: MultiThreadedEventLoopGroup.singleton, delegate: owner)
        owner.finish.withLock { $0 = { [weak self] in self?.add($0) } }
    }

    /// Connects the host, which is created first, to the bench.
    private final class Owner: ExtensionHostDelegate {
        let clock: TestClock
        let center: @Sendable (ExtensionRequest, ExtensionRun.CenterCall) -> CenterReply
        let finish = Mutex<(@Sendable (Finished) -> Void)?>(nil)

        init(
            clock: TestClock, center: @escaping @Sendable (ExtensionRequest, ExtensionRun.CenterCall) -> CenterReply
        ) {
            (self.clock, self.center) = (clock, center)
        }

        func now() -> Instant { clock.now }

        var extensionAssumptions: Assumptions { Assumptions() }

        func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest) {
            let finish = finish.withLock { $0 }
            finish?(Finished(request: request, run: run))
        }

        func notificationCenter(
            _ call: ExtensionRun.CenterCall, of request: ExtensionRequest,
            _ reply: @escaping @Sendable (CenterReply) -> Void
        ) {
            // Not on the host's event loop, like a reply that waits for the journal.
            DispatchQueue.global().async { [center] in reply(center(request, call)) }
        }

        func store(_ image: IntentImage, of request: ExtensionRequest) -> String? { nil }
    }

    private func add(_ finished: Finished) {
        state.withLock { state in
            state.callCount += 1
            state.finished[finished.request.notification] = finished
            state.order.append(finished.request.notification)
        }
        waits.check()
    }

    /// Waits until all of these requests have finished.
    func runs(_ numbers: some Sequence<UInt64>) async -> [ExtensionRun] {
        let numbers = Array(numbers)
        await waits.wait { [self] in state.withLock { numbers.allSatisfy($0.finished.keys.contains) } }
        return state.withLock { state in numbers.compactMap { state.finished[$0]?.run } }
    }

    /// Waits for one request.
    func run(_ number: UInt64 = 1) async throws -> ExtensionRun { try #require(await runs([number]).first) }

    /// Submits a request and waits for its run.
    func ask(_ request: ExtensionRequest) async throws -> ExtensionRun {
        host.submit(request)
        return try await run(request.notification)
    }

    /// The notifications' numbers, in order of completion.
    var order: [UInt64] { state.withLock { $0.order } }

    /// How often `finish` was called.
    var finishCount: Int { state.withLock { $0.callCount } }

    /// Waits until the condition holds; the test's time limit ends the wait.
    func until(_ condition: @escaping () -> Bool) async {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        while !condition(), !Task.isCancelled {
            try? await loop.scheduleTask(in: .milliseconds(2)) {}.futureResult.get()
        }
    }

    /// Moves the clock and informs the host.
    func advance(_ duration: Duration) {
        clock.advance(duration)
        host.enforceDeadlines(upTo: clock.now)
    }

    /// Writes a script and returns its path.
    func script(_ text: String, name: String = "extension.py") throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + name
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func end() async {
        await host.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// A process of the host at one moment.
struct ProcessView: Sendable {
    enum State {
        case launching, working, idle, ending
    }

    let app: String
    let pid: Int?
    let state: State
    let runCount: Int
    let waitingCount: Int

    init(_ process: ExtensionProcess) {
        app = process.app
        pid = process.child.map { Int($0.process.pid) }
        runCount = process.runCount
        waitingCount = process.queue.waiting.count
        switch (process.state, process.streams) {
        case (.running, .opening): state = .launching
        case (.running, .open): state = process.runs.isEmpty ? .idle : .working
        case (.retired, _), (.killed, _), (.ended, _), (.over, _): state = .ending
        }
    }
}

extension ExtensionHost {
    /// In order of launch.
    var processes: [ProcessView] {
        let views = loop.submit { [core] in
            core.value.apps.values.flatMap(\.processes).sorted { $0.number < $1.number }.map { ProcessView($0) }
        }
        return (try? views.wait()) ?? []
    }
}

/// A clock that tests set.
final class TestClock: Sendable {
    private let time = Mutex(Instant(milliseconds: 1_795_000_000_000))

    var now: Instant { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// A bench of its own for each test: ``bench``.
struct BenchTrait: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var current: Bench?

    let edit: @Sendable (inout ExtensionSettings) -> Void

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withBench(edit: edit) { bench in try await Self.$current.withValue(bench) { try await function() } }
    }
}

extension Trait where Self == BenchTrait {
    static var bench: Self { bench { _ in } }

    /// Instead of the suite's bench, one with other settings.
    static func bench(_ edit: @escaping @Sendable (inout ExtensionSettings) -> Void) -> Self { BenchTrait(edit: edit) }
}

/// The bench of the current test, which has the trait `.bench`.
var bench: Bench {
    guard let bench = BenchTrait.current else { preconditionFailure("the test lacks the trait .bench") }
    return bench
}

/// Runs the body with a bench, which it always stops.
func withBench(
    edit: (inout ExtensionSettings) -> Void = { _ in },
    center: @escaping @Sendable (ExtensionRequest, ExtensionRun.CenterCall) -> CenterReply = { _, _ in .result(.null) },
    _ body: (Bench) async throws -> Void
) async throws {
    let bench = Bench(edit: edit, center: center)
    do {
        try await body(bench)
    } catch {
        await bench.end()
        throw error
    }
    await bench.end()
}
