#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// What `/proc` says about a process.
struct ProcessStatus: Sendable, Hashable {
    /// The memory resident now, in bytes.
    var residentByteCount: Int
    /// The most that ever was, since its program was started, in bytes.
    var peakByteCount: Int

    /// - Returns: nil when there is no such process any more, or no `/proc`.
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
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }
}
