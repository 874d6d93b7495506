internal import APNs
internal import ChildProcesses
internal import DeviceModel
internal import Glibc
internal import NIOCore

/// A process of an app's extension, from before its launch until it has ended and all that it wrote has been read.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class ExtensionProcess {
    enum State {
        case running
        /// It takes no more requests, and may have some.
        case retired
        /// It was killed, and its end has not been seen.
        case killed(Verdict)
        /// It has ended, by itself or by a verdict; what it wrote is still being read.
        case ended(ChildExit, Verdict?)
        case over
    }

    /// Its standard streams.
    enum Streams {
        /// They are not connected yet; these messages wait.
        case opening(unsent: [ByteBuffer])
        /// `outputs` are its standard output and error while they are open.
        case open(input: any Channel, outputs: [any Channel])
    }

    /// Why it is killed, and how its open runs end.
    struct Verdict {
        var end: ExtensionRun.End
        var detail: String
        /// Whether its further output is ignored, as it broke the protocol or took too much.
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
    /// Its program; nil until that was started.
    var child: LaunchedChild?
    /// By number.
    var runs: [Int: ActiveRun] = [:]
    private(set) var runCount = 0
    var output: ProcessOutput
    var lines: LineSplitter
    var memory = MemoryWatch()
    /// Ends an idle process after a while, and bounds how long an ending one takes.
    var timer: Scheduled<Void>?
    /// Runs whose handler was called in what is being read.
    var answered: [ActiveRun] = []

    init(service: ServiceExtension, queue: AppQueue, core: HostCore) {
        (self.service, self.queue, self.core, app) = (service, queue, core, queue.app)
        number = core.nextNumber()
        settings = core.status.settings
        folder = WorkingFolder(parent: settings.folder, app: app)
        output = ProcessOutput(maximumByteCount: settings.keptOutputByteCount)
        lines = LineSplitter(maximumByteCount: settings.maximumMessageByteCount)
    }

    var verdict: Verdict? {
        switch state {
        case .killed(let verdict): verdict
        case .ended(_, let verdict): verdict
        case .running, .retired, .over: nil
        }
    }

    var isSilenced: Bool { verdict?.isSilencing ?? false }

    var takesRequests: Bool { if case .running = state { true } else { false } }

    var isIdle: Bool { takesRequests && endsWithItsInput }

    /// Whether it has no request and can read, so that it ends by itself once its standard input does.
    var endsWithItsInput: Bool {
        guard case .open = streams, runs.isEmpty else { return false }
        return switch state {
        case .running, .retired: true
        case .killed, .ended, .over: false
        }
    }

    /// Lets it use the processor time of one request from now on.
    func limitProcessor() {
        guard let child = child?.process else { return }
        var (clock, used) = (clockid_t(), timespec())
        if clock_getcpuclockid(child.pid, &clock) == 0 { clock_gettime(clock, &used) }
        // A later request raises it again.
        child.limit(.processorSeconds, to: used.tv_sec + 1 + settings.processorSeconds, isFinal: false)
    }

    /// Whether the message arrives shows in the process's end.
    func send(_ message: ByteBuffer) {
        switch streams {
        case .opening(let unsent): streams = .opening(unsent: unsent + [message])
        case .open(let input, _): input.writeAndFlush(message, promise: nil)
        }
    }

    /// Takes no more requests, and ends with the last that it has.
    func retire() {
        switch state {
        case .running, .retired: state = .retired
        case .killed, .ended, .over: return
        }
        guard case .open(let input, _) = streams, runs.isEmpty else { return }
        // The end of its standard input asks it to end.
        input.close(promise: nil)
        wait(Self.patience) { $0.kill(Verdict(end: .cancelled, detail: "")) }
    }

    /// Ends the process and all that it started. The first verdict counts; a later one may still silence it.
    func kill(_ verdict: Verdict) {
        if let child = child?.process {
            memory.measure(child)
            child.signal(SIGKILL)
        }
        var counting = self.verdict ?? verdict
        counting.isSilencing = counting.isSilencing || verdict.isSilencing
        switch state {
        case .running, .retired, .killed: state = .killed(counting)
        case .ended(let exit, _): state = .ended(exit, counting)
        case .over: break
        }
    }

    /// How long its descendants may hold its streams open after its end, and how long it has to end by itself.
    static let patience = Duration.seconds(2)

    /// Replaces the timer; `duration` is real time.
    func wait(_ duration: Duration, _ body: @escaping (ExtensionProcess) -> Void) {
        timer?.cancel()
        timer = core.loop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) { body(self) }
    }
}

extension ExtensionProcess: Carrier {
    func start(_ run: ActiveRun, at instant: Instant) {
        timer?.cancel()
        timer = nil
        core.begin(run, on: self, at: instant, isNewProcess: runCount == 0)
        runCount += 1
        runs[run.number] = run
        limitProcessor()
        send(HostMessage.didReceive(run.request, id: run.number, folder: folder))
        if runCount == 1 { launch() }
    }

    func expire(_ run: ActiveRun) {
        checkMemory()
        send(HostMessage.timeWillExpire(id: run.number))
    }

    /// A process that does not answer is of no use to the next request; it ends with its last one.
    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if runs.count > 1 {
            retire()
            send(HostMessage.cancel(id: run.number))
            core.finish(run, end, detail)
        } else {
            // The run is finished with the process, so that what it wrote meanwhile belongs to it.
            kill(Verdict(end: end, detail: detail))
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
                    "The extension took \(memory.growth >> 20) MB more than at its start; on a device it is killed above "
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
