internal import ChildProcesses
internal import DeviceModel
internal import Glibc
internal import NIOCore
internal import NIOPosix

extension ExtensionProcess {
    /// How often the memory of a working process is looked at while the limit is enforced.
    private static let memoryInterval = TimeAmount.milliseconds(50)
    /// How long the streams of an ended process may stay open in the hands of others, and how long a process that is not needed
    /// has to end by itself.
    private static let patience = Duration.seconds(2)

    /// Starts the program, on a thread of NIO's pool, as that blocks until the program runs.
    func launch() {
        let plan = LaunchPlan(app: info.app, service: service, folder: folder, settings: settings)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let reaper = Result { () throws(SystemError) in try core.startedReaper() }
            .mapError { _ in LaunchError("cannot watch processes: raise the gateway's limit of open files") }
        NIOThreadPool.singleton.runIfActive(eventLoop: core.loop) { [loop = core.loop] in
            try plan.start(reaper.get()) { exit in loop.execute { bound.value.hasExited(exit) } }
        }.whenComplete { result in
            switch result {
            case .success(let child): bound.value.hasStarted(child)
            case .failure(let error):
                bound.value.cannotStart(error as? LaunchError ?? LaunchError("the gateway is stopping (\(error))"))
            }
        }
        publish()
    }

    private func cannotStart(_ error: LaunchError) {
        isOver(verdict ?? Verdict(end: .unreachable, detail: error.message))
    }

    private func hasStarted(_ child: LaunchedChild) {
        guard case .launching(var launch) = state else { return }
        launch.child = child
        state = .launching(launch)
        info.pid = Int(child.process.pid)
        limitProcessor(of: child.process)
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        let input = NIOPipeBootstrap(group: core.loop).takingOwnershipOfDescriptor(output: child.input)
        let output = reading(child.output) { OutputHandler(bound.value) }
        let error = reading(child.error) { ErrorHandler(bound.value) }
        input.and(output).and(error).whenComplete { result in
            switch result {
            case .success(((let input, let output), let error)):
                bound.value.isConnected(input: input, streams: [output, error])
            case .failure(let error):
                child.process.signal(SIGKILL)
                bound.value.cannotStart(LaunchError("cannot use its pipes (\(error))"))
            }
        }
    }

    private func reading(
        _ descriptor: CInt, _ handler: @escaping @Sendable () -> some ChannelInboundHandler
    ) -> EventLoopFuture<any Channel> {
        NIOPipeBootstrap(group: core.loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler()) }
            }.takingOwnershipOfDescriptor(input: descriptor)
    }

    private func isConnected(input: any Channel, streams: [any Channel]) {
        guard case .launching(let launch) = state, let child = launch.child else { return }
        state = .running(Link(child: child, input: input, streams: streams.filter(\.isActive)))
        if let verdict = launch.verdict { kill(verdict) } else if launch.isRetiring { retire() }
        for message in launch.unsent { send(message) }
        if let exit = launch.exit { hasExited(exit) }
        if settings.enforcesMemoryLimit { watchMemory() }
        if isIdle { wait(settings.idle) { $0.retire() } }
        publish()
    }

    /// Takes no more requests, and ends with the last that it has.
    func retire() {
        switch state {
        case .launching(var launch):
            launch.isRetiring = true
            state = .launching(launch)
        case .running(let link), .retired(let link):
            state = .retired(link)
            guard runs.isEmpty else { break }
            // The end of its standard input asks it to end.
            link.input.close(promise: nil)
            wait(Self.patience) { $0.kill(Verdict(end: .cancelled, detail: "")) }
        case .killed, .ending, .over: break
        }
        publish()
    }

    /// Ends the process and all that it started. The first verdict counts; a later one may still silence it.
    func kill(_ verdict: Verdict) {
        if let child {
            memory.look(at: child.pid)
            child.signal(SIGKILL)
        }
        var counting = self.verdict ?? verdict
        counting.isSilencing = counting.isSilencing || verdict.isSilencing
        switch state {
        case .launching(var launch):
            launch.verdict = counting
            state = .launching(launch)
        case .running(let link), .retired(let link), .killed(let link, _): state = .killed(link, counting)
        case .ending(let link, let exit, _): state = .ending(link, exit, counting)
        case .over: break
        }
        publish()
    }

    /// The process has ended; what it wrote may still be on its way.
    private func hasExited(_ exit: ChildExit) {
        let link: Link
        switch state {
        // Its streams come first.
        case .launching(var launch):
            launch.exit = exit
            state = .launching(launch)
            return
        case .running(let ended), .retired(let ended), .killed(let ended, _): link = ended
        case .ending, .over: return
        }
        link.input.close(promise: nil)
        state = .ending(link, exit, verdict)
        publish()
        if link.streams.isEmpty { return isOver(exit, verdict) }
        wait(Self.patience) { process in
            guard case .ending(let link, _, _) = process.state else { return }
            // Something that left the group holds them.
            for stream in link.streams { stream.close(promise: nil) }
        }
    }

    /// One of its streams has reached its end.
    func hasClosed(_ stream: any Channel) {
        func without(_ link: Link) -> Link {
            var link = link
            link.streams.removeAll { $0 === stream }
            return link
        }
        switch state {
        case .running(let link): state = .running(without(link))
        case .retired(let link): state = .retired(without(link))
        case .killed(let link, let verdict): state = .killed(without(link), verdict)
        case .ending(let link, let exit, let verdict):
            state = .ending(without(link), exit, verdict)
            if without(link).streams.isEmpty { isOver(exit, verdict) }
        case .launching, .over: break
        }
    }

    private func isOver(_ exit: ChildExit, _ verdict: Verdict?) {
        if let verdict { return isOver(verdict) }
        if case .signal = exit { return isOver(Verdict(end: .crashed, detail: exit.text), isOwnEnd: true) }
        isOver(Verdict(end: .exited, detail: exit.text), isOwnEnd: true)
    }

    private func isOver(_ verdict: Verdict, isOwnEnd: Bool = false) {
        var unread = 0
        switch state {
        case .over: return
        case .launching(let launch): if let child = launch.child { close(child.unread) }
        case .running(let link), .retired(let link), .killed(let link, _), .ending(let link, _, _):
            unread = link.child.unreadByteCount
            close(link.child.unread)
        }
        state = .over
        timer?.cancel()
        for run in runs.values.sorted(by: { $0.number < $1.number }) {
            runs[run.number] = nil
            if isOwnEnd, unread > 0, !run.record.isNewProcess, !run.wasRetried, case .starting = run.phase {
                core.status.set(due: nil, run: run.number)
                queue.retry(run)
            } else if run.isAnswered, verdict.end != .outOfMemory {
                core.finish(run, .answered, "")
            } else {
                core.finish(run, verdict.end, verdict.detail)
            }
        }
        publish()
        queue.hasEnded(self)
    }

    // MARK: Memory

    private func watchMemory() {
        switch state {
        case .running: break
        case .launching, .retired, .killed, .ending, .over: return
        }
        if !runs.isEmpty { lookAtMemory() }
        let bound = NIOLoopBound(self, eventLoop: core.loop)
        core.loop.scheduleTask(in: Self.memoryInterval) { bound.value.watchMemory() }
    }

    /// Looks at the memory once there is a baseline, and ends a process that took too much if it is to be.
    func lookAtMemory() {
        guard memory.hasBaseline, let child else { return }
        memory.look(at: child.pid)
        info.peakMemoryByteCount = memory.peakByteCount
        guard settings.enforcesMemoryLimit, memory.growth > settings.memoryLimitByteCount, verdict == nil else {
            return
        }
        let detail =
            "it took \(memory.growth >> 20) MB more than at its start; the limit is \(settings.memoryLimitByteCount >> 20) MB"
        kill(Verdict(end: .outOfMemory, detail: detail, isSilencing: true))
    }
}
