internal import DeviceModel
internal import NIOCore
internal import NIOPosix

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension ExtensionProcess {
    /// How often the memory of a working process is looked at while the limit is enforced.
    private static let memoryInterval = TimeAmount.milliseconds(50)
    /// How long the streams of an ended process may stay open in the hands of others, and how long a process that is not needed
    /// has to end by itself.
    private static let patience = Duration.seconds(2)

    /// Starts the program.
    func launch() {
        let plan = LaunchPlan(app: info.app, service: service, folder: folder, settings: settings)
        do throws(LaunchError) {
            let bound = NIOLoopBound(self, eventLoop: core.loop)
            try core.startedWorkshop().launch(plan, on: core.loop) { bound.value.hasExited($0) }
                .whenComplete { result in
                    switch result {
                    case .success(let launched): bound.value.hasStarted(launched)
                    case .failure(let error): bound.value.cannotStart(error)
                    }
                }
        } catch {
            // Not before `take` and `advance` are through.
            let bound = NIOLoopBound((self, error), eventLoop: core.loop)
            core.loop.execute { bound.value.0.cannotStart(bound.value.1) }
        }
        publish()
    }

    private func cannotStart(_ error: any Error) {
        let message = (error as? LaunchError)?.message ?? "the gateway is stopping (\(error))"
        state = .ending
        killReason = killReason ?? (.unreachable, message)
        isOver()
    }

    private func hasStarted(_ launched: LaunchedChild) {
        child = launched.child
        info.pid = Int(launched.child.pid)
        launched.child.limitProcessor(seconds: settings.processorSeconds)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let input = NIOPipeBootstrap(group: core.loop).takingOwnershipOfDescriptor(output: launched.input)
        let output = NIOPipeBootstrap(group: core.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(OutputHandler(bound.value))
                }
            }.takingOwnershipOfDescriptor(input: launched.output)
        let error = NIOPipeBootstrap(group: core.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ErrorHandler(bound.value))
                }
            }.takingOwnershipOfDescriptor(input: launched.error)
        input.and(output).and(error).whenComplete { result in
            switch result {
            case .success(((let input, let output), let error)):
                bound.value.isConnected(input: input, streams: [output, error])
            case .failure(let error):
                launched.child.kill()
                bound.value.cannotStart(LaunchError("cannot use its pipes (\(error))"))
            }
        }
    }

    private func isConnected(input: any Channel, streams: [any Channel]) {
        guard case .launching(let unsent) = state, let child else { return }
        openStreams = streams.filter(\.isActive)
        state = .running(child, input: input)
        if killReason != nil { kill() } else if isRetiring { retire() }
        for message in unsent { send(message) }
        if exit != nil { hasEnded() }
        if settings.enforcesMemoryLimit { watchMemory() }
        if runs.isEmpty, isIdle { wait(settings.idle) { $0.retire() } }
        publish()
    }

    /// Takes no more requests, and ends with the last that it has.
    func retire() {
        switch state {
        case .running(let child, let input): state = .retired(child, input: input)
        case .launching, .retired, .ending, .over: break
        }
        isRetiring = true
        guard runs.isEmpty, case .retired(_, let input) = state else { return publish() }
        // The end of its standard input asks it to end.
        input.close(promise: nil)
        wait(Self.patience) { $0.kill() }
        publish()
    }

    /// Ends the process and all that it started.
    func kill() {
        if let child {
            memory.look(at: child)
            child.kill()
        }
        killReason = killReason ?? (.cancelled, "")
        if case .running(let child, let input) = state { state = .retired(child, input: input) }
        publish()
    }

    /// The process has ended; what it wrote may still be on its way.
    func hasExited(_ status: ExitStatus) {
        exit = status
        hasEnded()
    }

    private func hasEnded() {
        switch state {
        // Its streams come first.
        case .launching: return
        case .running(_, let input), .retired(_, let input): input.close(promise: nil)
        case .ending, .over: return
        }
        state = .ending
        publish()
        if openStreams.isEmpty { return isOver() }
        wait(Self.patience) { process in
            // Something that left the group holds them.
            for stream in process.openStreams { stream.close(promise: nil) }
        }
    }

    /// One of its streams has reached its end.
    func hasClosed(_ stream: any Channel) {
        openStreams.removeAll { $0 === stream }
        if case .ending = state, openStreams.isEmpty { isOver() }
    }

    private func isOver() {
        if case .over = state { return }
        state = .over
        timer?.cancel()
        let unread = child?.unreadByteCount ?? 0
        let (end, detail) = killReason ?? (exit?.signal == nil ? .exited : .crashed, exit?.text ?? "")
        for run in runs.values.sorted(by: { $0.number < $1.number }) {
            runs[run.number] = nil
            if killReason == nil, unread > 0, !run.record.isNewProcess, !run.wasRetried, case .starting = run.phase {
                core.board.set(due: nil, run: run.number)
                queue.retry(run)
            } else if run.isAnswered, end != .outOfMemory {
                core.finish(run, .answered, "")
            } else {
                core.finish(run, end, detail)
            }
        }
        publish()
        queue.hasEnded(self)
    }

    private func watchMemory() {
        guard case .running(let child, _) = state else { return }
        if !runs.isEmpty {
            lookAtMemory(of: child)
        }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        core.loop.scheduleTask(in: Self.memoryInterval) { bound.value.watchMemory() }
    }

    /// Looks at the memory once there is a baseline, and ends a process that took too much if it is to be.
    func lookAtMemory(of child: ChildHandle) {
        guard memory.hasBaseline else { return }
        memory.look(at: child)
        info.peakMemoryByteCount = memory.peakByteCount
        guard settings.enforcesMemoryLimit, memory.growth > settings.memoryLimitByteCount, killReason == nil else {
            return
        }
        killReason = (
            .outOfMemory,
            "it took \(memory.growth >> 20) MB more than at its start; the limit is \(settings.memoryLimitByteCount >> 20) MB"
        )
        isIgnored = true
        kill()
    }
}
