internal import Files
internal import Glibc

package enum StandardStreams {
    /// Writes a text and a new line to standard output; nothing for an empty text.
    package static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes a text and a new line to standard error; nothing for an empty text.
    package static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// The bytes of a file, or of standard input for "-".
    static func read(_ file: String) throws(CommandFailure) -> [UInt8] {
        do {
            guard file == "-" else { return try FileStore.read(file, limit: .max) }
            return try FileStore.read(STDIN_FILENO, file, limit: .max)
        } catch {
            throw CommandFailure(.failed, "\(file == "-" ? "standard input" : file) cannot be read")
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        guard !text.isEmpty else { return }
        var bytes = Array(text.utf8)[...]
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // Nobody reads any more.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
