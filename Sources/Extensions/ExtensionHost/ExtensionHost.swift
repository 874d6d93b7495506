package import DeviceModel
package import JSON
package import NIOCore
internal import Synchronization
package import Time

/// Any thread calls `now()`. Other members are called on the host's event loop: while one blocks, other extensions wait.
package protocol ExtensionHostDelegate: AnyObject, Sendable {
    func now() -> Instant
    var extensionAssumptions: Assumptions { get }
    /// Called exactly once per submitted request.
    func finishExtension(_ run: ExtensionRun, of request: ExtensionRequest)
    /// Answers a `UNUserNotificationCenter` call; calls `reply` once, now or later, from any thread.
    func notificationCenter(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest, _ reply: @escaping CenterReply.Handler)
    /// - Returns: The stored picture's SHA-256; nil if there is no such picture.
    func store(_ image: IntentImage, of request: ExtensionRequest) -> String?
}

package enum CenterReply: Sendable, Hashable {
    package typealias Handler = @Sendable (CenterReply) -> Void

    /// null if the call returns nothing.
    case result(JSONValue)
    /// The call changed nothing. The reason is a sentence for people.
    case refused(String)
}

/// Runs apps' service extensions, each in its own process or behind a URL, and reports what they did.
/// It makes no delivery decisions. Its state belongs to one event loop; members may be used from any thread and do not
/// block. Call `stop()` before releasing it. If the gateway crashes, the processes read the end of standard input.
package final class ExtensionHost: Sendable {
    private let status: HostStatus
    let loop: any EventLoop
    let core: NIOLoopBoundBox<HostCore>
    private let delegate: any ExtensionHostDelegate

    /// - Parameter loops: The host uses one of them.
    package init(settings: ExtensionSettings, loops: any EventLoopGroup, delegate: any ExtensionHostDelegate) {
        status = HostStatus(settings: settings)
        loop = loops.next()
        self.delegate = delegate
        core = .makeBoxSendingValue(HostCore(loop: loop, status: status, delegate: delegate), eventLoop: loop)
    }

    /// A running process keeps the settings it started with.
    package var settings: ExtensionSettings {
        get { status.settings }
        set { status.settings = newValue }
    }

    /// The working folder of an app's extension, with its attachments.
    package func folder(of app: String) -> String { WorkingFolder(parent: settings.folder, app: app).path }

    /// Why apps' extensions cannot start, as far as their files show.
    package func problems(of apps: [App]) -> [(app: String, problem: String)] {
        let settings = settings
        return apps.compactMap { app in
            guard let service = app.extension, service.kind != .http else { return nil }
            let launcher = ExtensionLauncher(
                app: app.bundleID, service: service, folder: WorkingFolder(parent: settings.folder, app: app.bundleID),
                settings: settings)
            do throws(LaunchError) {
                _ = try launcher.command()
                return nil
            } catch {
                return (app.bundleID, error.message)
            }
        }
    }

    /// If the extension is free, time starts now, on the gateway's clock. After `stop()`, ends as `.cancelled`.
    package func submit(_ request: ExtensionRequest) {
        let instant = delegate.now()
        loop.execute { [core] in core.value.submit(request, at: instant) }
    }

    /// The earliest deadline, on the gateway's clock, not yet passed to `enforceDeadlines(upTo:)`.
    package var nextDue: Instant? { status.nextDue }

    /// Yields when `nextDue` may have become earlier. For one reader; ends with `stop()`.
    package var dueChanges: AsyncStream<Void> { status.dueChanges }

    /// Enforces the deadlines up to `now`, after all earlier calls have taken effect.
    package func enforceDeadlines(upTo now: Instant) {
        // Advances `nextDue` at once; the loop also takes deadlines of requests submitted meanwhile.
        let due = status.takeDue(upTo: now)
        loop.execute { [core] in core.value.enforceDeadlines(of: due, upTo: now) }
    }

    /// Returns when `nextDue` includes the deadlines of requests submitted so far that have started.
    package func submittedRequestsArrive() async { try? await loop.submit {}.get() }

    /// Returns when the runs whose time limit was enforced have ended: after `lastChance` at most, in real time.
    package func overdueRunsEnd() async { await status.overdueRunsEnd() }

    /// Waiting and running requests end as `.cancelled`.
    package func cancel(where condition: @escaping @Sendable (ExtensionRequest) -> Bool) {
        loop.execute { [core] in core.value.cancel(where: condition) }
    }

    /// Cancels all requests and ends all processes, busy ones at once; returns when none is left.
    package func stop() async {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [core] in core.value.stop(promise) }
        try? await promise.futureResult.get()
        status.stop()
    }
}

/// The host's state that other threads read: settings and the next deadline.
final class HostStatus: Sendable {
    private typealias Waiter = CheckedContinuation<Void, Never>

    private struct State {
        var settings: ExtensionSettings
        /// By run; only deadlines not yet enforced.
        var deadlines: [Int: Instant] = [:]
        /// Runs whose deadline was enforced, until they end or have another.
        var overdue: Set<Int> = []
        var waiters: [Waiter] = []

        mutating func takeWaiters() -> [Waiter] {
            guard overdue.isEmpty else { return [] }
            defer { waiters = [] }
            return waiters
        }
    }

    private let state: Mutex<State>
    private let signal: AsyncStream<Void>.Continuation
    let dueChanges: AsyncStream<Void>

    init(settings: ExtensionSettings) {
        state = Mutex(State(settings: settings))
        (dueChanges, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var settings: ExtensionSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    var nextDue: Instant? { state.withLock { $0.deadlines.values.min() } }

    /// - Parameter due: nil if the run has no further deadline.
    func set(due: Instant?, run number: Int) {
        let (isNext, waiters) = state.withLock { state -> (Bool, [Waiter]) in
            defer { state.deadlines[number] = due }
            guard let due else { return (false, []) }
            state.overdue.remove(number)
            return (state.deadlines.values.min().map { due < $0 } ?? true, state.takeWaiters())
        }
        if isNext { signal.yield() }
        for waiter in waiters { waiter.resume() }
    }

    func runEnded(_ number: Int) {
        let waiters = state.withLock { state in
            state.deadlines[number] = nil
            state.overdue.remove(number)
            return state.takeWaiters()
        }
        for waiter in waiters { waiter.resume() }
    }

    func overdueRunsEnd() async {
        await withCheckedContinuation { waiter in
            let waiters = state.withLock { state in
                state.waiters.append(waiter)
                return state.takeWaiters()
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    func takeDue(upTo instant: Instant) -> [Int] {
        state.withLock { state in
            let runs = state.deadlines.filter { $0.value <= instant }.map(\.key)
            for run in runs { state.deadlines[run] = nil }
            state.overdue.formUnion(runs)
            return runs
        }
    }

    func stop() { signal.finish() }
}
