#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Why a file cannot be read or written.
package struct FileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    package var path: String
    /// The system's words.
    package var reason: String

    package var description: String { "\(path): \(reason)" }

    static func lastError(_ path: String) -> FileProblem {
        FileProblem(path: path, reason: String(cString: strerror(errno)))
    }
}

/// Small files, read whole; written whole or not at all.
package enum FileStore {
    /// Far more than any certificate, key or configuration has.
    package static let maximumByteCount = 16 << 20

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func read(_ path: String) throws(FileProblem) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .lastError(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Self.read(file, into: &chunk)
            guard count >= 0 else { throw .lastError(path) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= maximumByteCount else { throw FileProblem(path: path, reason: "larger than 16 MiB") }
        }
    }

    package static func text(_ path: String) throws(FileProblem) -> String {
        let bytes = try read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(path: path, reason: "not UTF-8 text")
        }
        return text
    }

    /// Who may read a file.
    package enum Access: UInt16 {
        case ownerOnly = 0o600
        case everybody = 0o644
    }

    /// Writes beside the file and renames, so that no reader sees half of it.
    package static func write(_ bytes: [UInt8], to path: String, access: Access) throws(FileProblem) {
        let draft = "\(path).new-\(getpid())"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(access.rawValue))
        guard file >= 0 else { throw .lastError(path) }
        // The umask may have taken bits away, and a leftover may have had others.
        var isWritten = fchmod(file, mode_t(access.rawValue)) == 0
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(file, $0) }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWritten = isWritten && fsync(file) == 0
        let problem = FileProblem.lastError(path)
        close(file)
        guard isWritten else {
            unlink(draft)
            throw problem
        }
        guard rename(draft, path) == 0 else {
            let problem = FileProblem.lastError(path)
            unlink(draft)
            throw problem
        }
    }

    package static func remove(_ path: String) throws(FileProblem) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .lastError(path) }
    }

    package static func makeFolder(_ path: String) throws(FileProblem) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") where part != "." {
            made += "/" + part
            if mkdir(made, 0o755) != 0, errno != EEXIST { throw .lastError(path) }
        }
    }

    /// Runs `body` while no other process holds the folder.
    static func locking<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileProblem.lastError(folder) }
        defer { close(file) }
        // Released with the descriptor. Some network file systems know no locks: then there is none.
        _ = flock(file, LOCK_EX)
        return try body()
    }

    private static func read(_ file: Int32, into chunk: inout [UInt8]) -> Int {
        chunk.withUnsafeMutableBytes { buffer in
            #if canImport(Darwin)
            Darwin.read(file, buffer.baseAddress, buffer.count)
            #else
            Glibc.read(file, buffer.baseAddress, buffer.count)
            #endif
        }
    }

    private static func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
        Darwin.write(file, bytes.baseAddress, bytes.count)
        #else
        Glibc.write(file, bytes.baseAddress, bytes.count)
        #endif
    }
}
