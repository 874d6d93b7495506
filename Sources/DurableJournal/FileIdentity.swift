#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Which file a path leads to: a file that was removed, replaced or renamed is another one.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// - Returns: nil when there is no such file, or it cannot be seen.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
