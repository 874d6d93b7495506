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
        var bytes = Array(text.utf8)
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        // Ignored: the reader has closed the stream.
        _ = FileStore.write(bytes, to: descriptor)
    }
}
