internal import Files
internal import Glibc

/// The folders of a service extension, in which alone its attachments and pictures may be.
///
/// A path is followed step by step from the folder on, and a symbolic link on it ends the search: an extension cannot have
/// the gateway read files that it could not hand over itself.
package struct ExtensionFolders: Sendable, Hashable {
    /// Whence attachments are moved away.
    var movable: [String]
    /// The app's resources, which are copied (C.7).
    var bundle: String

    /// - Parameter folder: the extension's working folder, with `bundle` in it.
    package init(_ folder: String) {
        let folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.init(movable: [folder], bundle: "\(folder)/bundle")
    }

    /// - Parameters:
    ///   - movable: where the extension may write.
    ///   - bundle: the app's resources.
    package init(movable: [String], bundle: String) {
        self.movable = movable
        self.bundle = bundle
    }

    /// A file that was found in one of the folders.
    struct Found: ~Copyable {
        /// Its name in the last folder.
        let name: String
        let byteCount: Int
        /// Whether the file is the extension's own, and no resource of the app.
        let isMovable: Bool
        private let path: String
        private let parent: Int32
        private let file: Int32

        fileprivate init(
            _ path: String, name: String, parent: Int32, file: Int32, byteCount: Int, isMovable: Bool
        ) {
            (self.path, self.name, self.parent, self.file) = (path, name, parent, file)
            (self.byteCount, self.isMovable) = (byteCount, isMovable)
        }

        deinit {
            close(file)
            close(parent)
        }

        /// The file's content, which must be no longer than it was when it was found.
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

    /// Looks a file up.
    ///
    /// - Returns: nil when there is no regular file of the path in any of the folders.
    func find(_ path: String) -> Found? {
        let roots = [(bundle, false)] + movable.map { ($0, true) }
        for (root, isMovable) in roots where path.hasPrefix(root + "/") {
            return Self.find(path, below: root, isMovable: isMovable)
        }
        return nil
    }

    private static func find(_ path: String, below root: String, isMovable: Bool) -> Found? {
        var parts = path.dropFirst(root.count).split(separator: "/").filter { $0 != "." }
        guard !parts.isEmpty, !parts.contains("..") else { return nil }
        let name = String(parts.removeLast())
        var folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        for part in parts where folder >= 0 {
            let next = openat(folder, String(part), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(folder)
            folder = next
        }
        guard folder >= 0 else { return nil }
        // O_NONBLOCK: opening a named pipe would wait for its writer.
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.isRegular else {
            if file >= 0 { close(file) }
            close(folder)
            return nil
        }
        return Found(path, name: name, parent: folder, file: file, byteCount: Int(status.st_size), isMovable: isMovable)
    }
}

extension stat {
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
