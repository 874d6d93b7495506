internal import Files
internal import Glibc

package enum StandardStreams {
    /// Appends a line feed; writes nothing for an empty text.
    package static func write(_ text: String) { _ = write(text.printable, to: STDOUT_FILENO) }

    /// The same for a command's result.
    /// - Throws: `CommandFailure` if the text is lost, but not if the reader has closed the stream.
    static func writeResult(_ text: String) throws(CommandFailure) {
        guard write(text.printable, to: STDOUT_FILENO) || errno == EPIPE else {
            throw CommandFailure(.failed, "\(FileProblem.lastError("standard output"))")
        }
    }

    /// Appends a line feed; writes nothing for an empty text.
    package static func writeError(_ text: String) { _ = write(text.printable, to: STDERR_FILENO) }

    /// A line whose texts are printable; it may have colours.
    package static func writeLog(_ line: String) { _ = write(line, to: STDERR_FILENO) }

    /// - Parameter file: `-` reads standard input.
    package static func read(_ file: String) throws(CommandFailure) -> [UInt8] {
        do {
            guard file == "-" else { return try FileStore.read(file, limit: .max) }
            return try FileStore.read(STDIN_FILENO, file, limit: .max)
        } catch {
            throw CommandFailure(.failed, file == "-" ? "standard input: \(error.reason)" : "\(error)")
        }
    }

    /// - Returns: Whether all is written; if not, `errno` says why.
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        guard !text.isEmpty else { return true }
        var bytes = Array(text.utf8)
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        return FileStore.write(bytes, to: descriptor)
    }
}
