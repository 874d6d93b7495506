internal import APNs
internal import DeviceModel
internal import NIOCore

/// A process of an app's extension, from before its launch until it has ended and all that it wrote has been read.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class ExtensionProcess {
    enum State {
        /// What it is to be told waits for its standard input.
        case launching(unsent: [ByteBuffer])
        case running(ChildHandle, input: any Channel)
        /// It takes no more requests, and may have some.
        case retired(ChildHandle, input: any Channel)
        /// It was killed, or ended by itself; what it wrote is still being read.
        case ending
        case over
    }

    let number: Int
    let service: ServiceExtension
    let queue: AppQueue
    let core: HostCore
    let settings: ExtensionSettings
    let folder: WorkingFolder
    var state = State.launching(unsent: [])
    /// What it works on, by number.
    var runs: [Int: ActiveRun] = [:]
    var info: ExtensionProcessInfo
    var output: ProcessOutput
    var memory = MemoryWatch()
    /// Whether it takes no more requests.
    var isRetiring = false
    /// Why it was killed; it stays nil when it ends by itself.
    var killReason: (end: ExtensionRun.End, detail: String)?
    var exit: ExitStatus?
    /// Once it has been started.
    var child: ChildHandle?
    /// Its standard output and error while they are open.
    var openStreams: [any Channel] = []
    /// What keeps an idle process for a while, or an ending one from ending never.
    var timer: Scheduled<Void>?
    /// Whether what it says is ignored, as it broke the protocol.
    var isIgnored = false
    /// Runs whose handler was called in what is being read.
    var answered: [ActiveRun] = []

    init(app: String, service: ServiceExtension, queue: AppQueue, core: HostCore) {
        (self.service, self.queue, self.core) = (service, queue, core)
        number = core.nextNumber()
        settings = core.board.settings
        folder = WorkingFolder(parent: settings.folder, app: app)
        info = ExtensionProcessInfo(app: app, state: .launching, startedAt: core.now())
        output = ProcessOutput(maximumByteCount: settings.keptOutputByteCount)
    }

    var isIdle: Bool { if case .running = state { runs.isEmpty } else { false } }

    var takesRequests: Bool {
        switch state {
        case .launching, .running: !isRetiring && killReason == nil
        case .retired, .ending, .over: false
        }
    }

    /// Takes a request over; its time begins.
    func take(_ run: ActiveRun, at instant: Instant) {
        timer?.cancel()
        timer = nil
        core.begin(run, on: self, at: instant, isNewProcess: info.runCount == 0)
        info.runCount += 1
        runs[run.number] = run
        child?.limitProcessor(seconds: settings.processorSeconds)
        send(HostMessage.didReceive(run.request, id: run.number, folder: folder))
        publish()
    }

    /// Tells the process something, if it can still hear.
    func send(_ message: ByteBuffer) {
        switch state {
        case .launching(let unsent): state = .launching(unsent: unsent + [message])
        // Whether it arrives is seen by the process's end.
        case .running(_, let input), .retired(_, let input): input.writeAndFlush(message, promise: nil)
        case .ending, .over: break
        }
    }

    /// Shows what it is doing.
    func publish() {
        info.activeCount = runs.count
        info.waitingCount = queue.waitingCount
        info.state =
            switch state {
            case .launching: .launching
            case .running: runs.isEmpty ? .idle : .working
            case .retired, .ending, .over: .ending
            }
        if case .over = state { return core.board.set(nil, number: number) }
        core.board.set(info, number: number)
    }

    /// A run is off its hands.
    func letGo(_ run: ActiveRun) {
        guard runs.removeValue(forKey: run.number) != nil, runs.isEmpty else { return publish() }
        switch state {
        case .running: wait(settings.idle) { $0.retire() }
        case .retired: retire()
        case .launching, .ending, .over: break
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
