internal import DeviceModel

/// The end of what a process wrote beside the protocol, and the lines of its log that belong to no request.
struct ProcessOutput {
    private var bytes: [UInt8] = []
    private let maximumByteCount: Int
    /// Oldest first; bounded.
    private var log: [ExtensionRun.LogLine] = []

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    var tail: String { String(decoding: bytes.suffix(maximumByteCount), as: UTF8.self) }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(maximumByteCount)
        // Not with every line, so that not each one moves a long tail.
        if bytes.count > 2 * maximumByteCount { bytes.removeFirst(bytes.count - maximumByteCount) }
    }

    mutating func append(_ line: ExtensionRun.LogLine) {
        if log.count == 20 { log.removeFirst() }
        log.append(line)
    }

    /// Empties the log.
    mutating func takeLog() -> [ExtensionRun.LogLine] {
        defer { log = [] }
        return log
    }
}
