package import APNs
package import DeviceModel
package import NIOCore

/// Runs the service extensions of apps, each in a process of its own or behind a URL, and reports what they did.
///
/// It decides nothing: what is delivered follows from the `ExtensionRun`. All of its state belongs to one event loop of the group;
/// every member may be used from any thread and none blocks. `stop()` must be called before it is let go.
///
/// If the gateway dies without it, the processes live on and find the end of their standard input.
package final class ExtensionHost: Sendable {
    private let board: HostStatus
    private let loop: any EventLoop
    private let core: NIOLoopBoundBox<HostCore?>
    private let now: @Sendable () -> Instant

    /// Makes a host that has no processes yet.
    ///
    /// - Parameters:
    ///   - loops: One of its loops is used.
    ///   - now: The gateway's clock.
    ///   - finish: Called on the event loop, exactly once for each request that was submitted.
    ///   - center: Answers a call of `UNUserNotificationCenter`. Called on the event loop; must not block.
    ///   - keep: Keeps a picture of an intent and tells its SHA-256, on the event loop.
    ///   - assumptions: What answers are read by.
    package init(
        settings: ExtensionSettings, loops: any EventLoopGroup, now: @escaping @Sendable () -> Instant,
        finish: @escaping @Sendable (ExtensionRequest, ExtensionRun) -> Void,
        center: @escaping CenterAnswerer,
        keep: @escaping @Sendable (IntentImage, ExtensionRequest) -> String? = { _, _ in nil },
        assumptions: @escaping @Sendable () -> Assumptions = { Assumptions() }
    ) {
        let board = HostStatus(settings: settings)
        let loop = loops.next()
        let core = NIOLoopBoundBox.makeEmptyBox(valueType: HostCore.self, eventLoop: loop)
        (self.board, self.loop, self.core, self.now) = (board, loop, core, now)
        let reader = AnswerReader(keep: keep, assumptions: assumptions)
        loop.execute {
            core.value = HostCore(loop: loop, board: board, now: now, reader: reader, finish: finish, center: center)
        }
    }

    /// How extensions are run; what is running keeps the settings that it was started with.
    package var settings: ExtensionSettings {
        get { board.settings }
        set { board.settings = newValue }
    }

    /// The working folder of an app's extension, in which its attachments are.
    package func folder(of app: String) -> String { WorkingFolder(parent: settings.folder, app: app).path }

    /// Asks the extension of `request.app`; `finish` tells how it went, after `stop()` too.
    ///
    /// If the extension is free, its time runs from here on, by the gateway's clock.
    package func submit(_ request: ExtensionRequest) {
        let instant = now()
        loop.execute { [core] in core.value?.submit(request, at: instant) }
    }

    /// The next deadline on the gateway's clock that `settle(at:)` has not been asked to carry out; nil while there is none.
    package var nextDue: Instant? { board.nextDue }

    /// An element whenever `nextDue` may have become earlier. For one reader; it ends with `stop()`.
    package var dueChanges: AsyncStream<Void> { board.dueChanges }

    /// Carries out the deadlines up to `now`, after everything that was asked of the host before.
    package func settle(at now: Instant) {
        board.ask(upTo: now)
        loop.execute { [core] in core.value?.settle(at: now) }
    }

    /// Ends the requests for which `condition` holds, waiting or running, as `.cancelled`.
    package func cancel(where condition: @escaping @Sendable (ExtensionRequest) -> Bool) {
        loop.execute { [core] in core.value?.cancel(where: condition) }
    }

    /// Ends every request as `.cancelled` and every process, those that work on something at once; returns when none is left.
    package func stop() async {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [core] in
            guard let core = core.value else { return promise.succeed() }
            core.stop(promise)
        }
        // The promise is only ever kept.
        try? await promise.futureResult.get()
        board.stop()
    }

    /// The processes there are, in the order of their launch.
    package var processes: [ExtensionProcessInfo] { board.processes }
}
