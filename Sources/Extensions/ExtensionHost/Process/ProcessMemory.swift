internal import ChildProcesses
internal import Files
internal import Glibc

struct MemoryWatch {
    /// The first measurement, when the process was ready.
    private var baseline: ProcessMemory?
    /// The highest measurement, in bytes; nil before the first.
    private(set) var peakByteCount: Int?
    /// The highest measurement above the baseline, in bytes.
    private(set) var growth = 0

    /// Memory at the first measurement that is not growth: more than the runtimes of Python, Ruby, Node or Java take.
    static let startByteCount = 256 << 20

    /// - Parameter status: The process's own measurement when it was ready; by now it may have taken more.
    mutating func start(from status: String?, _ process: ChildProcess) {
        guard baseline == nil else { return }
        baseline = status.flatMap { ProcessMemory(status: $0) }
        measure(process)
    }

    mutating func measure(_ process: ChildProcess) {
        guard let status = ProcessMemory(of: process.pid) else { return }
        let baseline = baseline ?? status
        self.baseline = baseline
        peakByteCount = max(peakByteCount ?? 0, status.peakByteCount)
        // A peak during start-up is not growth.
        let highest = status.peakByteCount > baseline.peakByteCount ? status.peakByteCount : status.residentByteCount
        growth = max(growth, highest - min(baseline.residentByteCount, Self.startByteCount))
    }

    var hasBaseline: Bool { baseline != nil }
}

struct ProcessMemory {
    let residentByteCount: Int
    /// Since the program started.
    let peakByteCount: Int

    /// nil if the process is gone.
    init?(of process: pid_t) {
        guard let bytes = try? FileStore.read("/proc/\(process)/status") else { return nil }
        self.init(status: String(decoding: bytes, as: UTF8.self))
    }

    /// - Parameter status: the text of `/proc/PID/status`.
    init?(status: String) {
        let lines = status.split(separator: "\n")
        // `VmRSS:     1234 kB`. An extension writes its own: a number beyond 4 TiB is no measurement, and differences
        // would overflow.
        func byteCount(_ name: String) -> Int? {
            let words = lines.first { $0.hasPrefix(name) }?.split { $0 == " " || $0 == "\t" }
            return words?.dropFirst().first.flatMap { UInt32($0) }.map { Int($0) << 10 }
        }
        guard let resident = byteCount("VmRSS:"), let peak = byteCount("VmHWM:") else { return nil }
        (residentByteCount, peakByteCount) = (resident, peak)
    }
}
