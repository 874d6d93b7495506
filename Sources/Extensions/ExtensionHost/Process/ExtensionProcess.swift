internal import APNs
internal import ChildProcesses
internal import DeviceModel
internal import NIOCore

/// A process of an app's extension, from before its launch until it has ended and all that it wrote has been read.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class ExtensionProcess {
    enum State {
        /// Its program is being started, and its streams are not connected.
        case launching(Launch)
        case running(Link)
        /// It takes no more requests, and may have some.
        case retired(Link)
        /// It was killed, and its end has not been seen.
        case killed(Link, Verdict)
        /// It has ended, by itself or by a verdict; what it wrote is still being read.
        case ending(Link, ChildExit, Verdict?)
        case over
    }

    /// What happened before its streams were connected.
    struct Launch {
        /// What it is to be told.
        var unsent: [ByteBuffer] = []
        /// Once it has been started.
        var child: LaunchedChild?
        var isRetiring = false
        var verdict: Verdict?
        var exit: ChildExit?
    }

    struct Link {
        let child: LaunchedChild
        let input: any Channel
        /// Its standard output and error while they are open.
        var streams: [any Channel]
    }

    /// Why it is killed: what the runs that it still has end with.
    struct Verdict {
        var end: ExtensionRun.End
        var detail: String
        /// Whether what it still says is ignored, as it broke the protocol or took too much.
        var isSilencing = false
    }

    let number: Int
    let service: ServiceExtension
    let queue: AppQueue
    let core: HostCore
    let settings: ExtensionSettings
    let folder: WorkingFolder
    var state = State.launching(Launch())
    /// What it works on, by number.
    var runs: [Int: ActiveRun] = [:]
    var info: ExtensionProcessInfo
    var output: ProcessOutput
    var memory = MemoryWatch()
    /// What keeps an idle process for a while, or an ending one from ending never.
    var timer: Scheduled<Void>?
    /// Runs whose handler was called in what is being read.
    var answered: [ActiveRun] = []

    init(app: String, service: ServiceExtension, queue: AppQueue, core: HostCore) {
        (self.service, self.queue, self.core) = (service, queue, core)
        number = core.nextNumber()
        settings = core.status.settings
        folder = WorkingFolder(parent: settings.folder, app: app)
        info = ExtensionProcessInfo(app: app, state: .launching, startedAt: core.now())
        output = ProcessOutput(maximumByteCount: settings.keptOutputByteCount)
    }

    /// Its program, from its start to its end.
    var child: ChildProcess? {
        switch state {
        case .launching(let launch): launch.child?.process
        case .running(let link), .retired(let link), .killed(let link, _), .ending(let link, _, _): link.child.process
        case .over: nil
        }
    }

    var verdict: Verdict? {
        switch state {
        case .launching(let launch): launch.verdict
        case .killed(_, let verdict): verdict
        case .ending(_, _, let verdict): verdict
        case .running, .retired, .over: nil
        }
    }

    var isIgnored: Bool { verdict?.isSilencing ?? false }

    var isIdle: Bool { if case .running = state { runs.isEmpty } else { false } }

    /// Whether it has nothing to do, so that it ends by itself once its standard input does.
    var endsInGoodOrder: Bool {
        switch state {
        case .running, .retired: runs.isEmpty
        case .launching, .killed, .ending, .over: false
        }
    }

    var takesRequests: Bool {
        switch state {
        case .launching(let launch): !launch.isRetiring && launch.verdict == nil
        case .running: true
        case .retired, .killed, .ending, .over: false
        }
    }

    /// Takes a request over; its time begins.
    func take(_ run: ActiveRun, at instant: Instant) {
        timer?.cancel()
        timer = nil
        core.begin(run, on: self, at: instant, isNewProcess: info.runCount == 0)
        info.runCount += 1
        runs[run.number] = run
        if let child { limitProcessor(of: child) }
        send(HostMessage.didReceive(run.request, id: run.number, folder: folder))
        publish()
    }

    /// Lets it use the processor time of one request from now on.
    func limitProcessor(of child: ChildProcess) {
        let used = ProcessStatus.processorSeconds(of: child.pid) ?? 0
        // A later request raises it again.
        child.limit(.processorSeconds, to: used + 1 + settings.processorSeconds, isFinal: false)
    }

    /// Sends a message, unless the process cannot read it any more.
    func send(_ message: ByteBuffer) {
        switch state {
        case .launching(var launch):
            launch.unsent.append(message)
            state = .launching(launch)
        // Whether it arrives is seen by the process's end.
        case .running(let link), .retired(let link), .killed(let link, _):
            link.input.writeAndFlush(message, promise: nil)
        case .ending, .over: break
        }
    }

    /// Updates what other threads see of it.
    func publish() {
        info.activeCount = runs.count
        info.waitingCount = queue.waitingCount
        info.state =
            switch state {
            case .launching: .launching
            case .running: runs.isEmpty ? .idle : .working
            case .retired, .killed, .ending, .over: .ending
            }
        if case .over = state { return core.status.set(nil, number: number) }
        core.status.set(info, number: number)
    }

    /// A run is off its hands.
    func letGo(_ run: ActiveRun) {
        guard runs.removeValue(forKey: run.number) != nil, runs.isEmpty else { return publish() }
        switch state {
        case .running: wait(settings.idle) { $0.retire() }
        case .retired: retire()
        case .launching, .killed, .ending, .over: break
        }
        publish()
    }

    /// Does something later, in real time, unless something else comes first.
    func wait(_ duration: Duration, _ body: @escaping (ExtensionProcess) -> Void) {
        timer?.cancel()
        let bound = NIOLoopBound((self, body), eventLoop: core.loop)
        timer = core.loop.scheduleTask(in: TimeAmount(duration)) {
            let (process, body) = bound.value
            body(process)
        }
    }
}
