internal import ChildProcesses
internal import DeviceModel
internal import Glibc
internal import NIOCore
internal import Time

/// From before the launch until the process has ended and its output is read. Owned by the host's event loop.
final class ExtensionProcess {
    enum State {
        case running
        /// Takes no more requests; may still have some.
        case retired
        /// Killed, but not yet reaped.
        case killed(Ending)
        /// Exited by itself or was killed; its output is still being read.
        case ended(ChildExit, Ending?)
        case over
    }

    enum Streams {
        /// Not connected yet; messages are queued.
        case opening(unsent: [ByteBuffer])
        /// `outputs` are standard output and error while open.
        case open(input: any Channel, outputs: [any Channel])
    }

    /// How its open runs end.
    struct Ending {
        var end: ExtensionRun.End
        var detail: String
        /// Ignores further output, after a protocol violation or an exceeded limit.
        var isSilencing = false
    }

    let number: Int
    let app: String
    let service: ServiceExtension
    let queue: AppQueue
    let core: HostCore
    let settings: ExtensionSettings
    let folder: WorkingFolder
    var state = State.running
    var streams = Streams.opening(unsent: [])
    /// nil until started.
    var child: LaunchedChild?
    /// The CPU time that requests have granted so far, in seconds.
    private var grantedProcessorSeconds = 0
    /// Messages sent, but not yet read by the process or its pipe.
    private var unwrittenByteCount = 0
    /// Read since its last request.
    var receivedByteCount = 0
    /// By number.
    var runs: [Int: ActiveRun] = [:]
    private(set) var runCount = 0
    var output: ProcessOutput
    var lines: LineSplitter
    var memory = MemoryWatch()
    /// Ends an idle process, and limits how long an ending one takes.
    var timer: Scheduled<Void>?
    /// Runs answered in the batch being read.
    var answered: [ActiveRun] = []

    init(service: ServiceExtension, queue: AppQueue, core: HostCore) {
        (self.service, self.queue, self.core, app) = (service, queue, core, queue.app)
        number = core.nextNumber()
        settings = core.status.settings
        folder = WorkingFolder(parent: settings.folder, app: app)
        output = ProcessOutput(maximumByteCount: settings.keptOutputByteCount)
        lines = LineSplitter(maximumByteCount: settings.maximumMessageByteCount)
    }

    var ending: Ending? {
        switch state {
        case .killed(let ending): ending
        case .ended(_, let ending): ending
        case .running, .retired, .over: nil
        }
    }

    var isSilenced: Bool { ending?.isSilencing ?? false }

    var takesRequests: Bool { if case .running = state { true } else { false } }

    var isIdle: Bool { takesRequests && endsWithItsInput }

    /// Idle and connected, so closing standard input ends it.
    var endsWithItsInput: Bool {
        guard case .open = streams, runs.isEmpty else { return false }
        return switch state {
        case .running, .retired: true
        case .killed, .ended, .over: false
        }
    }

    /// Grants the CPU time of one more request.
    func limitProcessor() {
        guard let child = child?.process else { return }
        grantedProcessorSeconds = usedProcessorSeconds(of: child) + 1 + settings.processorSeconds
        // A later request raises it again.
        child.limit(.processorSeconds, to: grantedProcessorSeconds, isFinal: false)
    }

    /// Kills a process that ignores SIGXCPU.
    func watchProcessor() {
        guard let child = child?.process else { return }
        switch state {
        case .running, .retired: break
        case .killed, .ended, .over: return
        }
        if usedProcessorSeconds(of: child) > grantedProcessorSeconds {
            return kill(Ending(end: .crashed, detail: "it used up its CPU time and ignored SIGXCPU"))
        }
        core.loop.assumeIsolated().scheduleTask(in: .seconds(1)) { self.watchProcessor() }
    }

    private func usedProcessorSeconds(of child: ChildProcess) -> Int {
        var (clock, used) = (clockid_t(), timespec())
        if clock_getcpuclockid(child.pid, &clock) == 0 { clock_gettime(clock, &used) }
        return used.tv_sec
    }

    /// Delivery is not confirmed; a lost message shows when the process ends.
    func send(_ message: ByteBuffer) {
        switch streams {
        case .opening(let unsent): streams = .opening(unsent: unsent + [message])
        case .open(let input, _):
            if isSilenced { return }
            unwrittenByteCount += message.readableBytes
            guard unwrittenByteCount <= settings.unreadByteCount else {
                return breaksProtocol(
                    "it does not read its standard input, where more than \(settings.unreadByteCount) bytes of messages wait"
                )
            }
            input.writeAndFlush(message).assumeIsolated().whenComplete { _ in
                self.unwrittenByteCount -= message.readableBytes
            }
        }
    }

    /// Takes no more requests, and ends after its last one.
    func retire() {
        switch state {
        case .running, .retired: state = .retired
        case .killed, .ended, .over: return
        }
        guard case .open(let input, _) = streams, runs.isEmpty else { return }
        // End of input asks the process to exit.
        input.close(promise: nil)
        wait(Self.exitTimeLimit) { $0.kill(Ending(end: .cancelled, detail: "")) }
    }

    /// Kills the process and its descendants. The first ending counts; a later one may still silence output.
    func kill(_ ending: Ending) {
        if let child = child?.process {
            memory.measure(child)
            child.signal(SIGKILL)
        }
        var counting = self.ending ?? ending
        counting.isSilencing = counting.isSilencing || ending.isSilencing
        switch state {
        case .running, .retired, .killed: state = .killed(counting)
        case .ended(let exit, _): state = .ended(exit, counting)
        case .over: break
        }
    }

    /// For descendants to close the streams after its end, and for the process to exit by itself.
    static let exitTimeLimit = Duration.seconds(2)

    /// Replaces the timer; `duration` is real time.
    func wait(_ duration: Duration, _ body: @escaping (ExtensionProcess) -> Void) {
        timer?.cancel()
        timer = core.loop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) { body(self) }
    }
}

extension ExtensionProcess: Runner {
    func start(_ run: ActiveRun, at instant: Instant) {
        timer?.cancel()
        timer = nil
        core.begin(run, on: self, at: instant, isNewProcess: runCount == 0)
        runCount += 1
        receivedByteCount = 0
        runs[run.number] = run
        limitProcessor()
        send(HostMessage.didReceive(run.request, id: run.number, folder: folder))
        if runCount == 1 { launch() }
    }

    func expire(_ run: ActiveRun) {
        checkMemory()
        send(HostMessage.timeWillExpire(id: run.number))
    }

    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if runs.count > 1 {
            retire()
            send(HostMessage.cancel(id: run.number))
            core.finish(run, end, detail)
        } else {
            // The run ends with the process, so its remaining output still belongs to it.
            kill(Ending(end: end, detail: detail))
        }
    }

    func release(_ run: ActiveRun) {
        run.record.log = output.takeLog() + run.record.log
        run.record.outputTail = output.tail
        run.record.peakMemoryByteCount = memory.peakByteCount
        if memory.growth > settings.memoryLimitByteCount {
            run.record.findings.append(
                Finding(
                    "nse.memory", settings.enforcesMemoryLimit ? .error : .warning, at: "",
                    "The extension's memory grew by \(memory.growth >> 20) MB since its start; on a device it is killed above "
                        + "\(settings.memoryLimitByteCount >> 20) MB.", source: "C.5"))
        }
        runs[run.number] = nil
        if isIdle {
            wait(settings.idle) { $0.retire() }
        } else if case .retired = state {
            retire()
        }
    }
}
