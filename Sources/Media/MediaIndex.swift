/// The files of a store, in the order of eviction.
struct MediaIndex {
    struct File {
        var name: String
        var byteCount: Int
        var use: UInt64
    }

    let maximumByteCount: Int
    /// Whole disk blocks.
    private(set) var byteCount = 0
    private(set) var files: [String: File] = [:]
    /// Oldest first; only a file's last use counts.
    private var uses: [(digest: String, use: UInt64)] = []
    private var firstUse = 0
    private var lastUse: UInt64 = 0

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Disk space in blocks of 4 KiB.
    static func cost(of byteCount: Int) -> Int { max(1, (byteCount + 4095) / 4096) * 4096 }

    /// Returns a name that no file has had, so removing an old file never removes a new one.
    mutating func makeName(for digest: String) -> String {
        lastUse += 1
        return "\(digest).\(lastUse)"
    }

    mutating func renew(_ digest: String) -> Bool {
        guard files[digest] != nil else { return false }
        use(digest)
        return true
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
        lastUse = max(lastUse, number)
        return insert(String(parts[0]), named: name, byteCount: byteCount)
    }

    /// - Returns: The name of the file that it replaces.
    private mutating func insert(_ digest: String, named name: String, byteCount: Int) -> String? {
        let former = remove(digest)
        files[digest] = File(name: name, byteCount: byteCount, use: 0)
        self.byteCount += Self.cost(of: byteCount)
        use(digest)
        return former
    }

    /// - Returns: The names of evicted files, oldest first.
    mutating func shrink() -> [String] {
        var names: [String] = []
        while byteCount > maximumByteCount, firstUse < uses.count {
            let (digest, use) = uses[firstUse]
            firstUse += 1
            if files[digest]?.use == use, let name = remove(digest) { names.append(name) }
        }
        return names
    }

    private mutating func remove(_ digest: String) -> String? {
        guard let file = files.removeValue(forKey: digest) else { return nil }
        byteCount -= Self.cost(of: file.byteCount)
        return file.name
    }

    private mutating func use(_ digest: String) {
        lastUse += 1
        files[digest]?.use = lastUse
        uses.append((digest, lastUse))
        guard uses.count > 64, uses.count > files.count * 4 else { return }
        uses = uses[firstUse...].filter { files[$0.digest]?.use == $0.use }
        firstUse = 0
    }
}
