internal import Credentials
internal import NIOCore

/// The cores that this process may run on: one event loop is started for each.
enum UsableCores {
    /// At least 1. NIO counts what a container's quota allows; `taskset` and CPU sets narrow that down.
    static var count: Int { max(1, min(allowedCount ?? .max, System.coreCount)) }

    /// From the mask of the kernel's status file, `Cpus_allowed: ff`; `nil` on other systems.
    private static var allowedCount: Int? {
        guard let status = try? FileStore.text("/proc/self/status") else { return nil }
        let name = "Cpus_allowed:"
        return status.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
            .compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
    }
}
