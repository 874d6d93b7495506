internal import DeviceSimulator
internal import NIOPosix
internal import ServiceLifecycle

/// Writes the journal on a thread of its own, and ends when nothing is left that could happen.
struct JournalService: NamedService {
    let keeper: JournalKeeper

    func run() async throws {
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                try? await thread.runIfActive { [keeper] in keeper.run() }
            } onGracefulShutdown: {
                keeper.stop()
            }
        } onCancel: {
            keeper.stop()
        }
        try await thread.shutdownGracefully()
    }
}
