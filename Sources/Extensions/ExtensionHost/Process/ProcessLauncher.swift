internal import NIOCore
internal import NIOPosix

/// The two threads for what blocks: one starts programs, one sees them end.
final class ProcessLauncher: Sendable {
    private let threads = NIOThreadPool(numberOfThreads: 2)
    private let reaper: Reaper

    /// - Throws: `LaunchError` when the system has no descriptors left.
    init() throws(LaunchError) {
        reaper = try Reaper()
        threads.start()
        threads.submit { [reaper] state in
            if case .active = state { reaper.run() }
        }
    }

    /// Starts a program. `hasEnded` is called once, on the event loop, if it could be started.
    /// - Returns: What fails with a `LaunchError`.
    func launch(
        _ plan: LaunchPlan, on loop: any EventLoop, hasEnded: @escaping @Sendable (ExitStatus) -> Void
    ) -> EventLoopFuture<LaunchedChild> {
        threads.runIfActive(eventLoop: loop) { [reaper] in
            let launched = try plan.start()
            reaper.watch(launched.child) { status in loop.execute { hasEnded(status) } }
            return launched
        }
    }

    /// Ends both threads; no process must be left.
    func stop() {
        reaper.stop()
        threads.shutdownGracefully { _ in }
    }
}
