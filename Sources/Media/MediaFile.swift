#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The file system, as far as the store needs it.
enum MediaFile {
    static func makeFolder(_ path: String) throws(MediaError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") where part != "." {
            made += "/" + part
            if mkdir(made, 0o700) != 0, errno != EEXIST { throw .last(path) }
        }
    }

    /// The regular files of a folder, those of smaller numbers after the point first.
    static func list(_ folder: String) throws(MediaError) -> [(name: String, byteCount: Int)] {
        guard let directory = opendir(folder) else { throw .last(folder) }
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

    /// Writes beside the file and renames, so that no reader sees half of it.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let draft = path + ".new"
        let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .last(path) }
        var isWritten = true
        var rest = bytes[...]
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { CLibrary.write(file, $0.baseAddress, $0.count) }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        let problem = MediaError.last(path)
        close(file)
        guard isWritten else {
            unlink(draft)
            throw problem
        }
        guard rename(draft, path) == 0 else { throw .last(path) }
    }

    static func remove(_ path: String) { unlink(path) }

    /// - Parameter limit: a longer file is refused.
    static func read(_ path: String, limit: Int) throws(MediaError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw .last(path) }
        defer { close(file) }
        return try read(file, path, limit: limit)
    }

    /// The rest of an open file.
    static func read(_ file: Int32, _ path: String, limit: Int) throws(MediaError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = chunk.withUnsafeMutableBytes { CLibrary.read(file, $0.baseAddress, $0.count) }
            guard count >= 0 else { throw .last(path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else { throw MediaError(path: path, reason: "it grew while being read") }
        }
    }

    /// `write` and `read` of the C library, which the functions here hide.
    private enum CLibrary {
        static func write(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
            #if canImport(Darwin)
            Darwin.write(file, bytes, count)
            #else
            Glibc.write(file, bytes, count)
            #endif
        }

        static func read(_ file: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
            #if canImport(Darwin)
            Darwin.read(file, bytes, count)
            #else
            Glibc.read(file, bytes, count)
            #endif
        }
    }
}

extension MediaError {
    /// What the system said last.
    static func last(_ path: String) -> MediaError { MediaError(path: path, reason: String(cString: strerror(errno))) }
}

extension stat {
    var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
}
