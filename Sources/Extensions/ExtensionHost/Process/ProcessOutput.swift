internal import DeviceModel
internal import Files
internal import Glibc

/// What a process wrote beside the protocol: the end of it, and the lines of its log that belong to no request.
struct ProcessOutput {
    private var bytes: [UInt8] = []
    private let maximumByteCount: Int
    /// Oldest first; bounded.
    private var log: [ExtensionRun.LogLine] = []

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// The end of what it wrote.
    var tail: String { String(decoding: bytes.suffix(maximumByteCount), as: UTF8.self) }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(maximumByteCount)
        // Not with every line, so that a long tail is not moved for each.
        if bytes.count > 2 * maximumByteCount { bytes.removeFirst(bytes.count - maximumByteCount) }
    }

    mutating func append(_ line: ExtensionRun.LogLine) {
        if log.count == 20 { log.removeFirst() }
        log.append(line)
    }

    /// The log so far, which becomes empty.
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
    mutating func look(at process: pid_t) {
        guard let status = ProcessStatus(of: process) else { return }
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

/// What `/proc` says about a process.
struct ProcessStatus {
    /// The memory resident now, in bytes.
    var residentByteCount: Int
    /// The most that ever was, since its program was started, in bytes.
    var peakByteCount: Int

    /// - Returns: nil when there is no such process any more.
    init?(of process: pid_t) {
        guard let text = Self.read("/proc/\(process)/status") else { return nil }
        var (resident, peak): (Int?, Int?)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("VmRSS:") { resident = Self.kilobytes(line) }
            if line.hasPrefix("VmHWM:") { peak = Self.kilobytes(line) }
        }
        guard let resident, let peak else { return nil }
        (residentByteCount, peakByteCount) = (resident << 10, peak << 10)
    }

    /// The processor time that a process has used, in whole seconds.
    static func processorSeconds(of process: pid_t) -> Int? {
        // The program's name comes second, in parentheses, and may hold anything; user and system time are 14th and 15th.
        guard let text = read("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ")
        guard fields.count > 13, let user = Int(fields[12]), let system = Int(fields[13]) else { return nil }
        return (user + system) / max(1, sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func kilobytes(_ line: Substring) -> Int? {
        line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }

    private static func read(_ path: String) -> String? {
        (try? FileStore.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
