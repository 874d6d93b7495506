internal import Synchronization
internal import TLSEngine

/// The pictures and attachments of notifications: files in a folder, known by their SHA-256.
///
/// Bounded: the oldest file goes first; one that is put again is new again. Files are written whole or not at all, so that
/// what is read is what was put. Any thread may call; a call reads and writes files, so an event loop should not.
package final class MediaStore: Sendable {
    /// The most bytes of one picture of a person; an Assumption, as an attachment's limit (C.7).
    package static let maximumImageByteCount = 10 << 20
    /// 512 MiB.
    package static let defaultMaximumByteCount = 512 << 20

    let folder: String
    private let index: Mutex<MediaIndex>
    /// Paths whose files were moved here, newest last.
    private let moved = Mutex<[String]>([])

    /// Opens a store, with what is in it already.
    ///
    /// - Parameters:
    ///   - folder: is made if need be; nothing else may be in it.
    ///   - maximumByteCount: how much disk the store takes.
    package init(
        folder: String, maximumByteCount: Int = MediaStore.defaultMaximumByteCount
    ) throws(MediaError) {
        self.folder = folder
        try MediaFile.makeFolder(folder)
        var index = MediaIndex(maximumByteCount: maximumByteCount)
        var unwanted: [String] = []
        for file in try MediaFile.list(folder) {
            unwanted += index.restore(file.name, byteCount: file.byteCount).map { [$0] } ?? []
        }
        unwanted += index.shrink()
        self.index = Mutex(index)
        for name in unwanted { MediaFile.remove("\(folder)/\(name)") }
    }

    // MARK: Files

    /// Keeps a file.
    ///
    /// - Returns: its SHA-256 in hexadecimal digits.
    /// - Throws: when it is larger than the whole store, or cannot be written.
    package func put(_ bytes: [UInt8]) throws(MediaError) -> String {
        let digest = Self.digest(of: bytes)
        let limit = index.withLock { $0.maximumByteCount }
        guard MediaIndex.cost(of: bytes.count) <= limit else {
            throw MediaError(path: folder, reason: "\(bytes.count) bytes exceed the store's limit of \(limit)")
        }
        // nil when it is here already, and now the newest.
        guard let name = index.withLock({ $0.renew(digest) ? nil : $0.makeName(for: digest) }) else { return digest }
        try MediaFile.write(bytes, to: "\(folder)/\(name)")
        let unwanted = index.withLock { $0.add(digest, named: name, byteCount: bytes.count) }
        for name in unwanted { MediaFile.remove("\(folder)/\(name)") }
        return digest
    }

    /// A file that was put; nil when it never was, or had to go.
    package func data(_ digest: String) -> [UInt8]? {
        guard let file = index.withLock({ $0.file(digest) }) else { return nil }
        return try? MediaFile.read("\(folder)/\(file.name)", limit: file.byteCount)
    }

    /// How large a file is; nil when there is none.
    package func byteCount(of digest: String) -> Int? { index.withLock { $0.file(digest)?.byteCount } }

    /// How many bytes of disk the files take.
    package var byteCount: Int { index.withLock { $0.byteCount } }

    /// How many files there are.
    package var count: Int { index.withLock { $0.count } }

    /// Removes every file.
    package func removeAll() {
        for name in index.withLock({ $0.removeAll() }) { MediaFile.remove("\(folder)/\(name)") }
        moved.withLock { $0 = [] }
    }

    static func digest(of bytes: [UInt8]) -> String {
        SHA256.digest(bytes.span.bytes).reduce(into: "") { text, byte in
            let digits = String(byte, radix: 16)
            text += digits.count == 1 ? "0" + digits : digits
        }
    }

    // MARK: What was moved

    /// A path whose file is here now, since attachments are moved (C.7).
    func remember(_ path: String) {
        moved.withLock { paths in
            if paths.count >= 1024 { paths.removeFirst(512) }
            paths.append(path)
        }
    }

    func wasMoved(_ path: String) -> Bool { moved.withLock { $0.contains(path) } }
}

/// Why a file cannot be kept.
package struct MediaError: Error, Hashable, CustomStringConvertible {
    package var path: String
    /// The system's words.
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
