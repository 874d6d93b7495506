internal import Files
internal import Glibc

package enum StandardStreams {
    /// Appends a line feed; writes nothing for an empty text.
    package static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Appends a line feed; writes nothing for an empty text.
    package static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// - Parameter file: `-` reads standard input.
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
            // The reader closed the stream.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
