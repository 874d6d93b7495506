@preconcurrency internal import Foundation

/// The standard output that the process was started with; the extension's own `print` goes to standard error from now on.
struct ProtocolOutput: Sendable {
    private let descriptor: Int32

    init() {
        // Not inherited by what the extension might start.
        descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        // What was printed must be out before a crash.
        setvbuf(stdout, nil, Int32(_IOLBF), 0)
    }

    /// Writes a line. When nobody reads any more, nothing is left to do.
    func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// The standard input, line by line.
enum StandardInput {
    /// Calls `body` with each line, in order, until the input ends.
    static func forEachLine(_ body: ([UInt8]) -> Void) {
        var pending: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            pending += part[..<count]
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                body(Array(pending[..<end]))
                pending.removeSubrange(...end)
            }
        }
    }
}
