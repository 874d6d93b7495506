internal import OrderedCollections

/// The files of a store, in the order of eviction.
struct MediaIndex {
    struct File {
        var name: String
        var byteCount: Int
    }

    let maximumByteCount: Int
    /// Whole disk blocks.
    private(set) var byteCount = 0
    /// By SHA-256; the least recently put first.
    private var files: OrderedDictionary<String, File> = [:]
    private var lastNumber: UInt64 = 0

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    func file(_ digest: String) -> File? { files[digest] }

    /// Disk space in blocks of 4 KiB.
    static func cost(of byteCount: Int) -> Int { max(1, (byteCount + 4095) / 4096) * 4096 }

    /// Returns an unused name, so that removing an old file never removes a new one.
    mutating func makeName(for digest: String) -> String {
        lastNumber += 1
        return "\(digest).\(lastNumber)"
    }

    /// False without the file, or when a crash of the machine has cut it.
    mutating func renew(_ digest: String, byteCount: Int) -> Bool {
        guard let file = files[digest], file.byteCount == byteCount else { return false }
        files.removeValue(forKey: digest)
        files[digest] = file
        return true
    }

    /// - Returns: The name of the removed file; none when the digest has another file by now.
    mutating func remove(_ digest: String, named name: String) -> [String] {
        guard let file = files[digest], file.name == name else { return [] }
        files.removeValue(forKey: digest)
        byteCount -= Self.cost(of: file.byteCount)
        return [name]
    }

    /// - Returns: The names of evicted files.
    mutating func add(_ digest: String, named name: String, byteCount: Int) -> [String] {
        let former = insert(digest, named: name, byteCount: byteCount)
        return [former].compactMap(\.self) + shrink()
    }

    /// Adds a file found at start-up, in the order of the numbers; returns the name of a file to remove.
    mutating func restore(_ name: String, byteCount: Int) -> String? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 64, let number = UInt64(parts[1]) else { return name }
        lastNumber = max(lastNumber, number)
        return insert(String(parts[0]), named: name, byteCount: byteCount)
    }

    /// - Returns: The name of the file that it replaces.
    private mutating func insert(_ digest: String, named name: String, byteCount: Int) -> String? {
        let former = files.removeValue(forKey: digest)
        files[digest] = File(name: name, byteCount: byteCount)
        self.byteCount += Self.cost(of: byteCount) - (former.map { Self.cost(of: $0.byteCount) } ?? 0)
        return former?.name
    }

    /// - Returns: The names of evicted files, oldest first.
    mutating func shrink() -> [String] {
        var names: [String] = []
        while byteCount > maximumByteCount, !files.isEmpty {
            let file = files.removeFirst().value
            byteCount -= Self.cost(of: file.byteCount)
            names.append(file.name)
        }
        return names
    }
}
