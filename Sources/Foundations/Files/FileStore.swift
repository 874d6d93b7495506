internal import Glibc

package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// In the system's words.
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// From `errno`.
    package static func lastError(_ path: String) -> FileProblem {
        FileProblem(path: path, reason: String(cString: strerror(errno)))
    }

    package var description: String { "\(path): \(reason)" }
}

/// Reads and writes small files whole; writes are atomic.
package enum FileStore {
    /// Far more than any certificate, key or configuration needs.
    package static let maximumByteCount = 16 << 20

    /// A link exists even if its target does not.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// A path that is valid in every folder.
    package static func absolutePath(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        // glibc allocates the buffer.
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    package static func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

    /// - Parameter isRegular: Rejects devices, and pipes, whose reader would wait for a writer. For paths that come over the API.
    package static func read(
        _ path: String, limit: Int = maximumByteCount, isRegular: Bool = false
    ) throws(FileProblem) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | (isRegular ? O_NONBLOCK | O_NOCTTY : 0))
        guard file >= 0 else { throw .lastError(path) }
        defer { close(file) }
        if isRegular {
            var status = stat()
            guard fstat(file, &status) == 0 else { throw .lastError(path) }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw FileProblem(path: path, reason: "not a regular file")
            }
        }
        return try read(file, path, limit: limit)
    }

    /// - Parameter excess: The reason reported for a file over `limit`.
    package static func read(
        _ file: Int32, _ path: String, limit: Int, excess: String = "larger than 16 MiB"
    ) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .lastError(path) }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else { throw FileProblem(path: path, reason: excess) }
        }
    }

    package static func text(_ path: String, isRegular: Bool = false) throws(FileProblem) -> String {
        let bytes = try read(path, isRegular: isRegular)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw FileProblem(path: path, reason: "not UTF-8 text")
        }
        return text
    }

    package enum Access: UInt16 {
        case ownerOnly = 0o600
        case everybody = 0o644
    }

    /// Writes a temporary file and renames it, so readers never see a partial file. The target of a symbolic link is
    /// replaced, not the link. A device or pipe, such as /dev/stdout, is written to.
    /// - Parameter isDurable: Waits until the bytes are on disk, so they survive a crash of the machine.
    package static func write(
        _ bytes: [UInt8], to path: String, access: Access, isDurable: Bool = true
    ) throws(FileProblem) {
        let kind = kind(of: path)
        if let kind, kind != S_IFREG, kind != S_IFDIR { return try writeInPlace(bytes, to: path) }
        let target = kind == S_IFREG ? try resolved(path) : path
        let draft = "\(target).new-\(getpid())"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode_t(access.rawValue))
        guard file >= 0 else { throw .lastError(path) }
        defer { close(file) }
        // The umask may have cleared bits, and a leftover temporary file may have different ones.
        guard fchmod(file, mode_t(access.rawValue)) == 0, write(bytes, to: file), !isDurable || fsync(file) == 0,
            rename(draft, target) == 0
        else {
            let problem = FileProblem.lastError(path)
            unlink(draft)
            throw problem
        }
        if isDurable { syncFolder(of: target) }
    }

    /// Without this, a crash of the machine may undo the rename. Not every file system can do it.
    private static func syncFolder(of path: String) {
        let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(FileProblem) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw .lastError(path) }
        defer { close(file) }
        guard write(bytes, to: file) else { throw .lastError(path) }
    }

    /// The bits of `S_IFMT`, of the target of a symbolic link; `nil` if nothing is there.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Without symbolic links, `.` and `..`.
    package static func resolved(_ path: String) throws(FileProblem) -> String {
        guard let resolved = realpath(path, nil) else { throw .lastError(path) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// - Returns: Whether all bytes are written.
    package static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    package static func remove(_ path: String) throws(FileProblem) {
        guard unlink(path) == 0 || errno == ENOENT else { throw .lastError(path) }
    }

    /// Creates a folder and its missing parents.
    package static func makeFolder(_ path: String, mode: UInt16 = 0o755) throws(FileProblem) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") where part != "." {
            made += "/" + part
            if mkdir(made, mode_t(mode)) != 0, errno != EEXIST { throw .lastError(path) }
        }
    }

    /// Runs `body` while no other process has the folder locked.
    package static func locking<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
        let file = open(folder, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileProblem.lastError(folder) }
        defer { close(file) }
        // Closing the descriptor releases the lock. Some network file systems have no locks; there nothing is locked.
        _ = flock(file, LOCK_EX)
        return try body()
    }
}
