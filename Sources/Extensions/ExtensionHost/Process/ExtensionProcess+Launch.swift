internal import ChildProcesses
internal import DeviceModel
internal import Glibc
internal import NIOCore
internal import NIOPosix

extension ExtensionProcess {
    /// Runs on a thread of NIO's pool, because starting a program blocks.
    func launch() {
        let launcher = ExtensionLauncher(app: app, service: service, folder: folder, settings: settings)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        NIOThreadPool.singleton.runIfActive(eventLoop: core.loop) { [loop = core.loop] in
            try launcher.start { exit in loop.execute { bound.value.didExit(exit) } }
        }.assumeIsolated().whenComplete { result in
            switch result {
            case .success(let child): self.didStart(child)
            case .failure(let error):
                self.cannotStart(error as? LaunchError ?? LaunchError("the gateway is stopping (\(error))"))
            }
        }
    }

    private func cannotStart(_ error: LaunchError) {
        finish(ending ?? Ending(end: .unreachable, detail: error.message))
    }

    private func didStart(_ child: LaunchedChild) {
        self.child = child
        limitProcessor()
        watchProcessor()
        let input = NIOPipeBootstrap(group: core.loop).takingOwnershipOfDescriptor(output: child.input)
        let output = reading(child.output, isError: false)
        let error = reading(child.error, isError: true)
        input.and(output).and(error).assumeIsolated().whenComplete { result in
            switch result {
            case .success(((let input, let output), let error)):
                self.didConnect(input: input, outputs: [output, error])
            case .failure(let error):
                child.process.signal(SIGKILL)
                self.cannotStart(LaunchError("cannot use its pipes (\(error))"))
            }
        }
    }

    private func reading(_ descriptor: CInt, isError: Bool) -> EventLoopFuture<any Channel> {
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        return NIOPipeBootstrap(group: core.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StreamHandler(bound.value, isError: isError))
                }
            }.takingOwnershipOfDescriptor(input: descriptor)
    }

    private func didConnect(input: any Channel, outputs: [any Channel]) {
        guard case .opening(let unsent) = streams else { return }
        streams = .open(input: input, outputs: outputs.filter(\.isActive))
        if let ending { kill(ending) } else if case .retired = state { retire() }
        for message in unsent { send(message) }
        awaitEndOfOutput()
        if settings.enforcesMemoryLimit { watchMemory() }
        if isIdle { wait(settings.idle) { $0.retire() } }
    }

    private func didExit(_ exit: ChildExit) {
        switch state {
        case .running, .retired, .killed: state = .ended(exit, ending)
        case .ended, .over: return
        }
        awaitEndOfOutput()
    }

    private func awaitEndOfOutput() {
        guard case .ended(let exit, let ending) = state, case .open(let input, let outputs) = streams else { return }
        input.close(promise: nil)
        if outputs.isEmpty { return finish(exit, ending) }
        wait(Self.exitTimeLimit) { process in
            guard case .open(_, let outputs) = process.streams else { return }
            // A process outside the group holds the streams open.
            for output in outputs { output.close(promise: nil) }
        }
    }

    func didClose(_ output: any Channel) {
        guard case .open(let input, let outputs) = streams else { return }
        let others = outputs.filter { $0 !== output }
        streams = .open(input: input, outputs: others)
        if others.isEmpty, case .ended(let exit, let ending) = state { finish(exit, ending) }
    }

    private func finish(_ exit: ChildExit, _ ending: Ending?) {
        if let ending { return finish(ending) }
        let end: ExtensionRun.End = if case .signal = exit { .crashed } else { .exited }
        finish(Ending(end: end, detail: exit.text), isOwnEnd: true)
    }

    private func finish(_ ending: Ending, isOwnEnd: Bool = false) {
        if case .over = state { return }
        state = .over
        timer?.cancel()
        let unreadByteCount = child?.unreadByteCount ?? 0
        if let child { close(child.unread) }
        for run in runs.values.sorted(by: { $0.number < $1.number }) {
            runs[run.number] = nil
            if isOwnEnd, unreadByteCount > 0, !run.record.isNewProcess, !run.wasRetried, case .starting = run.phase {
                core.status.set(due: nil, run: run.number)
                queue.retry(run)
            } else if run.isAnswered, ending.end != .outOfMemory {
                core.finish(run, .answered, "")
            } else {
                core.finish(run, ending.end, ending.detail)
            }
        }
        queue.didEnd(self)
    }

    /// For measuring the memory of a working process while the limit is enforced.
    private static let memoryInterval = TimeAmount.milliseconds(50)

    private func watchMemory() {
        guard takesRequests else { return }
        if !runs.isEmpty { checkMemory() }
        core.loop.assumeIsolated().scheduleTask(in: Self.memoryInterval) { self.watchMemory() }
    }

    /// Measures memory once there is a baseline; kills a process above an enforced limit.
    func checkMemory() {
        guard memory.hasBaseline, let child else { return }
        memory.measure(child.process)
        guard settings.enforcesMemoryLimit, memory.growth > settings.memoryLimitByteCount, ending == nil else { return }
        let detail =
            "its memory grew by \(memory.growth >> 20) MB since its start; the limit is \(settings.memoryLimitByteCount >> 20) MB"
        kill(Ending(end: .outOfMemory, detail: detail, isSilencing: true))
    }
}
