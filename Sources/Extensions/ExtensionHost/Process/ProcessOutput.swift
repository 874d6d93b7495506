internal import DeviceModel

/// What a process wrote beside the protocol: the end of it, and the lines of its log that belong to no request.
struct ProcessOutput {
    private var bytes: [UInt8] = []
    private let maximumByteCount: Int
    /// Oldest first; bounded.
    private(set) var log: [ExtensionRun.LogLine] = []

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// The end of what it wrote.
    var tail: String { String(decoding: bytes.suffix(maximumByteCount), as: UTF8.self) }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(maximumByteCount)
        // Not with every line, so that a long tail is not moved for each.
        if bytes.count > 2 * maximumByteCount { bytes.removeFirst(bytes.count - maximumByteCount) }
    }

    mutating func note(_ line: ExtensionRun.LogLine) {
        if log.count == 20 { log.removeFirst() }
        log.append(line)
    }

    /// The log so far, which then starts anew.
    mutating func takeLog() -> [ExtensionRun.LogLine] {
        defer { log = [] }
        return log
    }
}

/// How much memory a process takes, as far as anybody looked.
struct MemoryWatch {
    /// When it was ready: what it had resident, and the most it ever had until then.
    private var baseline: ProcessStatus?
    /// The most that it was seen to have, in bytes; nil before anybody looked.
    private(set) var peakByteCount: Int?
    /// The most that it was seen to have beyond what it had when it was ready, in bytes.
    private(set) var growth = 0

    /// Takes a look at a process; the first look is the baseline.
    mutating func look(at process: ChildHandle) {
        guard let status = ProcessStatus(of: process.pid) else { return }
        let baseline = baseline ?? status
        self.baseline = baseline
        peakByteCount = max(peakByteCount ?? 0, status.peakByteCount)
        // A peak from its start-up is not its growth.
        let highest =
            status.peakByteCount > baseline.peakByteCount ? status.peakByteCount : status.residentByteCount
        growth = max(growth, highest - baseline.residentByteCount)
    }

    var hasBaseline: Bool { baseline != nil }
}
