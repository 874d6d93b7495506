internal import DeviceModel

/// The tail of a process's output outside the protocol, and log lines outside any request.
struct ProcessOutput {
    private var bytes: [UInt8] = []
    private let maximumByteCount: Int
    /// Oldest first; bounded.
    private var log: [ExtensionRun.LogLine] = []

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    var tail: String { String(decoding: bytes.suffix(maximumByteCount), as: UTF8.self) }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(maximumByteCount)
        // In batches, to avoid moving the tail for every line.
        if bytes.count > 2 * maximumByteCount { bytes.removeFirst(bytes.count - maximumByteCount) }
    }

    mutating func append(_ line: ExtensionRun.LogLine) {
        if log.count == 20 { log.removeFirst() }
        log.append(line)
    }

    mutating func takeLog() -> [ExtensionRun.LogLine] {
        defer { log = [] }
        return log
    }
}
