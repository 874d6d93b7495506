package import DeviceModel
package import Files
internal import Glibc
internal import Synchronization
internal import TLSEngine

/// Pictures and attachments of notifications: files in a folder, named by their SHA-256.
///
/// Evicts the least recently put files beyond its limit. Writes files atomically. Thread-safe; calls block on file I/O,
/// so keep them off the event loops of connections.
package final class MediaStore: Sendable {
    /// For one picture of a person. Assumption: equal to an attachment's limit (C.7).
    static let maximumImageByteCount = 10 << 20

    let folder: String
    private let archive: MediaArchive?
    let index: Mutex<MediaIndex>
    /// Paths whose files were moved into the store, newest last.
    private let moved = Mutex<[String]>([])

    /// - Parameters:
    ///   - folder: Created if missing; files that are not the store's are removed.
    ///   - maximumByteCount: Disk space.
    ///   - archive: nil when no other gateway needs the files.
    package init(
        folder: String, maximumByteCount: Int = 512 << 20, archive: MediaArchive? = nil
    ) throws(FileProblem) {
        self.folder = folder
        self.archive = archive
        try FileStore.makeFolder(folder, mode: 0o700)
        var index = MediaIndex(maximumByteCount: maximumByteCount)
        var unwanted: [String] = []
        for file in try Self.files(in: folder) {
            if let name = index.restore(file.name, byteCount: file.byteCount) { unwanted.append(name) }
        }
        unwanted += index.shrink()
        self.index = Mutex(index)
        remove(unwanted)
    }

    // MARK: Files

    /// - Returns: The SHA-256 in hexadecimal digits.
    /// - Throws: When the file is larger than the whole store or cannot be written.
    package func put(_ bytes: [UInt8]) throws(FileProblem) -> String {
        let digest = Self.digest(of: bytes)
        let limit = index.withLock { $0.maximumByteCount }
        guard MediaIndex.cost(of: bytes.count) <= limit else {
            throw FileProblem(path: folder, reason: "\(bytes.count) bytes exceed the store's limit of \(limit)")
        }
        try archive?.put(bytes, digest, limit)
        return try putLocally(bytes, digest)
    }

    private func putLocally(_ bytes: [UInt8], _ digest: String) throws(FileProblem) -> String {
        // The file that the store has, which is now the newest.
        let file = index.withLock { $0.renew(digest, byteCount: bytes.count) ? $0.file(digest) : nil }
        if let file, FileStore.exists("\(folder)/\(file.name)") { return digest }
        let name = index.withLock { $0.makeName(for: digest) }
        try FileStore.write(bytes, to: "\(folder)/\(name)", access: .ownerOnly, isDurable: false)
        let unwanted = index.withLock { $0.add(digest, named: name, byteCount: bytes.count) }
        remove(unwanted)
        return digest
    }

    /// - Returns: nil when the file was never put, was evicted or is larger than the limit.
    package func data(_ digest: String, limit: Int = .max) -> [UInt8]? {
        guard let file = index.withLock({ $0.file(digest) }) else { return archived(digest, limit: limit) }
        guard file.byteCount <= limit else { return nil }
        let path = "\(folder)/\(file.name)"
        // O_NONBLOCK: an extension, which is the same user, may have put a named pipe in its place.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // Another process may have removed it; the next `put` writes it again.
        guard descriptor >= 0 else { return archived(digest, limit: limit) }
        defer { close(descriptor) }
        let bytes = try? FileStore.read(descriptor, path, limit: file.byteCount, excess: "it grew since it was put")
        if let bytes, Self.digest(of: bytes) == digest { return bytes }
        // Files are not synced: a crash of the machine may have damaged it.
        remove(index.withLock { $0.remove(digest, named: file.name) })
        return archived(digest, limit: limit)
    }

    /// A file that another gateway put.
    private func archived(_ digest: String, limit: Int) -> [UInt8]? {
        guard let bytes = archive?.file(digest), Self.digest(of: bytes) == digest else { return nil }
        _ = try? putLocally(bytes, digest)
        return bytes.count <= limit ? bytes : nil
    }

    private func remove(_ names: [String]) { for name in names { unlink("\(folder)/\(name)") } }

    /// Regular files, oldest first, by the number after the point.
    private static func files(in folder: String) throws(FileProblem) -> [(name: String, byteCount: Int)] {
        guard let directory = opendir(folder) else { throw .lastError(folder) }
        defer { closedir(directory) }
        var files: [(name: String, byteCount: Int)] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0, status.isRegular else { continue }
            files.append((name, Int(status.st_size)))
        }
        func number(_ name: String) -> UInt64 { name.split(separator: ".").last.flatMap { UInt64($0) } ?? 0 }
        return files.sorted { number($0.name) < number($1.name) }
    }

    static func digest(of bytes: [UInt8]) -> String { SHA256.digest(bytes.span.bytes).hexadecimal }

    // MARK: Moved attachments

    /// Records a moved attachment, so that attaching the path again fails (C.7).
    func remember(_ path: String) {
        moved.withLock { paths in
            if paths.count >= 1024 { paths.removeFirst(512) }
            paths.append(path)
        }
    }

    func wasMoved(_ path: String) -> Bool { moved.withLock { $0.contains(path) } }
}

/// A copy of the files for gateways that may take over. Its calls block.
package struct MediaArchive: Sendable {
    let put: @Sendable (_ bytes: [UInt8], _ digest: String, _ maximumByteCount: Int) throws(FileProblem) -> Void
    let file: @Sendable (_ digest: String) -> [UInt8]?

    package init(
        put:
            @escaping @Sendable (_ bytes: [UInt8], _ digest: String, _ maximumByteCount: Int) throws(FileProblem) ->
            Void,
        file: @escaping @Sendable (_ digest: String) -> [UInt8]?
    ) {
        self.put = put
        self.file = file
    }
}

extension MediaStore {
    /// Moves a notification's attachments into the store.
    ///
    /// - Returns: Those that can be shown, with `sha256`, `byteCount` and detected type; findings about the others.
    package func accept(
        _ attachments: [NotificationAttachment], from folders: ExtensionFolders
    ) -> (accepted: [NotificationAttachment], findings: [Finding]) {
        var accepted: [NotificationAttachment] = []
        var findings: [Finding] = []
        for attachment in attachments {
            do throws(AttachmentError) {
                accepted.append(try accept(attachment, from: folders))
            } catch {
                findings.append(error.finding(about: attachment))
            }
        }
        return (accepted, findings.bounded)
    }

    /// C.7.
    func accept(
        _ attachment: NotificationAttachment, from folders: ExtensionFolders
    ) throws(AttachmentError) -> NotificationAttachment {
        guard let path = AttachmentRules.path(of: attachment.url) else {
            throw AttachmentError(.attachmentInvalidURL, "\(attachment.url.prefix(200)) is not a file URL")
        }
        guard let file = folders.find(path) else {
            if wasMoved(path) {
                throw AttachmentError(.attachmentMoveIntoDataStoreFailed, "\(path) was already attached and moved")
            }
            throw AttachmentError(
                .attachmentInvalidURL,
                folders.hasEntry(path)
                    ? "\(path) is no regular file; a link, a pipe or a folder cannot be attached"
                    : "there is no file \(path) in the extension's folder")
        }
        let head = file.head(AttachmentRules.headByteCount)
        let type = try AttachmentRules.type(
            of: attachment, named: file.name, byteCount: file.byteCount, head: head.span.bytes)
        var accepted = attachment
        do throws(FileProblem) {
            let bytes = try file.bytes()
            accepted.sha256 = try put(bytes)
            accepted.byteCount = bytes.count
        } catch {
            throw AttachmentError(.attachmentMoveIntoDataStoreFailed, error.reason)
        }
        if file.isMovable, file.remove() { remember(path) }
        accepted.type = type.identifier
        return accepted
    }

    /// - Returns: The picture's SHA-256; nil when it is not available.
    package func put(_ image: IntentImage, from folders: ExtensionFolders) -> String? {
        switch image {
        case .system: return nil
        case .bytes(let bytes): return putImage(bytes)
        case .url(let address): return AttachmentRules.path(of: address).flatMap { putImage(at: $0, folders) }
        case .named(let name):
            guard !name.contains("/") else { return nil }
            return ["", ".png", "@2x.png", "@3x.png", ".jpg", ".jpeg"].lazy
                .compactMap { self.putImage(at: "\(folders.bundle)/\(name)\($0)", folders) }.first
        }
    }

    private func putImage(at path: String, _ folders: ExtensionFolders) -> String? {
        guard let file = folders.find(path), file.byteCount <= Self.maximumImageByteCount,
            let bytes = try? file.bytes()
        else { return nil }
        return putImage(bytes)
    }

    private func putImage(_ bytes: [UInt8]) -> String? {
        (1...Self.maximumImageByteCount).contains(bytes.count) ? try? put(bytes) : nil
    }
}
