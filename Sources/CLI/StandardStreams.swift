#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Standard input, output and error of the process.
package enum StandardStreams {
    /// Writes a text and a new line to standard output; nothing for an empty text.
    package static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes a text and a new line to standard error; nothing for an empty text.
    package static func writeError(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Everything up to the end of standard input; `nil` when it cannot be read.
    package static func readAll() -> [UInt8]? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += part[..<count]
        }
    }

    /// The bytes of a file; `nil` when it cannot be read.
    package static func readFile(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        guard !text.isEmpty else { return }
        var bytes = Array(text.utf8)[...]
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { sysWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            // Nobody reads any more.
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// `write(2)`, which our own method hides.
    private static func sysWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
