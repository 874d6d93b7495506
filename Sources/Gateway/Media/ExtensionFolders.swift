internal import Files
internal import Glibc

/// The working folder of a service extension; its attachments and pictures must be inside.
///
/// Opens paths component by component and rejects symbolic links, so an extension cannot make the gateway read files
/// that it could not read itself.
package struct ExtensionFolders: Sendable, Hashable {
    private let folder: String
    /// Without symbolic links, `.` and `..`; an extension may name its files by either.
    private let resolved: String

    /// - Parameter folder: Has the app's resources in `bundle`.
    package init(_ folder: String) {
        self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        resolved = (try? FileStore.resolved(folder)) ?? self.folder
    }

    var bundle: String { "\(folder)/bundle" }

    struct Found: ~Copyable {
        fileprivate let path: String
        let name: String
        fileprivate let parent: Int32
        fileprivate let file: Int32
        let byteCount: Int
        /// Attaching moves the file, but copies the app's resources (C.7).
        let isMovable: Bool

        deinit {
            close(file)
            close(parent)
        }

        /// - Throws: When the file grew since it was found.
        func bytes() throws(FileProblem) -> [UInt8] {
            try FileStore.read(file, path, limit: byteCount, excess: "it grew while being read")
        }

        func head(_ count: Int) -> [UInt8] {
            var head = [UInt8](repeating: 0, count: count)
            let read = head.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
            return Array(head.prefix(max(0, read)))
        }

        func remove() -> Bool { unlinkat(parent, name, 0) == 0 }
    }

    /// Whether the folder has something at the path, such as a link or a pipe, which is not followed.
    func hasEntry(_ path: String) -> Bool {
        guard [folder, resolved].contains(where: { path.hasPrefix($0 + "/") }),
            !path.split(separator: "/").contains("..")
        else { return false }
        var status = stat()
        return lstat(path, &status) == 0
    }

    /// - Returns: nil when the folder has no regular file at the path.
    func find(_ path: String) -> Found? {
        if !path.hasPrefix(folder + "/"), path.hasPrefix(resolved + "/") {
            return find(folder + path.dropFirst(resolved.count))
        }
        let isMovable = !path.hasPrefix(bundle + "/")
        guard path.hasPrefix(folder + "/") else { return nil }
        var parts = path.dropFirst(folder.count).split(separator: "/").filter { $0 != "." }
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        let name = String(parts.removeLast())
        // The folder itself, too: the extension could replace it.
        var parent = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        for part in parts where parent >= 0 {
            let next = openat(parent, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(parent)
            parent = next
        }
        guard parent >= 0 else { return nil }
        // O_NONBLOCK: opening a named pipe would wait for its writer.
        let file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.isRegular else {
            if file >= 0 { close(file) }
            close(parent)
            return nil
        }
        return Found(
            path: path, name: name, parent: parent, file: file, byteCount: Int(status.st_size), isMovable: isMovable)
    }
}

extension stat {
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
