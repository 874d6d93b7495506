internal import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

package final class ChildProcess: Sendable {
    package let pid: Int32
    private let leadsGroup: Bool
    /// After reaping, the PID may belong to another process.
    private let isReaped = Mutex(false)

    init(pid: Int32, leadsGroup: Bool = false) {
        self.pid = pid
        self.leadsGroup = leadsGroup
    }

    /// Signals the process, and the group that it leads, unless it is reaped.
    @discardableResult
    package func signal(_ number: Int32) -> Bool {
        isReaped.withLock { isReaped in
            guard !isReaped else { return false }
            let reachesGroup = leadsGroup && kill(-pid, number) == 0
            // The process may have left its group.
            if reachesGroup, getpgid(pid) == pid, number != SIGKILL { return true }
            return kill(pid, number) == 0 || reachesGroup
        }
    }

    /// Blocks the thread until the process ends, then kills the rest of its group. Call it once.
    package func wait() -> ChildExit {
        var information = siginfo_t()
        // Waits without the lock and without reaping, so the PID stays valid.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 {
            guard errno == EINTR else {
                isReaped.withLock { $0 = true }
                return .unknown
            }
        }
        return isReaped.withLock { isReaped in
            // Before reaping, while the group's identifier is still valid.
            if leadsGroup { _ = kill(-pid, SIGKILL) }
            isReaped = true
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 {
                guard errno == EINTR else { return .unknown }
            }
            return ChildExit(waitStatus: status)
        }
    }

    /// Waits without a thread for the process to end, then calls `body` once, on an arbitrary thread.
    package func whenEnded(_ body: @escaping @Sendable (ChildExit) -> Void) throws(SystemError) {
        // Readable when the process ends.
        let descriptor = shim_pidfd_open(pid)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
        source.setEventHandler {
            source.cancel()
            body(self.wait())
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    package struct Resource: Sendable {
        fileprivate let number: __rlimit_resource

        package static let addressSpace = Resource(number: RLIMIT_AS)
        package static let coreSize = Resource(number: RLIMIT_CORE)
        package static let descriptors = Resource(number: RLIMIT_NOFILE)
        package static let fileSize = Resource(number: RLIMIT_FSIZE)
        package static let processorSeconds = Resource(number: RLIMIT_CPU)
    }

    /// - Parameter isFinal: Whether the limit can never be raised again.
    package func limit(_ resource: Resource, to value: Int, isFinal: Bool = true) {
        isReaped.withLock { isReaped in
            guard !isReaped else { return }
            _ = shim_prlimit(pid, CInt(resource.number.rawValue), UInt64(value), isFinal ? UInt64(value) : .max)
        }
    }
}

package enum ChildExit: Sendable, Hashable {
    case status(Int)
    case signal(Int)
    /// Unknown; counts as a failure.
    case unknown

    /// As in <sys/wait.h>: the low seven bits are the signal, the bits above them the exit status.
    fileprivate init(waitStatus: Int32) {
        let signal = Int(waitStatus & 0x7f)
        self = signal == 0 ? .status(Int(waitStatus >> 8) & 0xff) : .signal(signal)
    }

    package var shellStatus: Int32 {
        switch self {
        case .status(let status): Int32(status)
        case .signal(let signal): 128 + Int32(signal)
        case .unknown: 1
        }
    }

    package var text: String {
        switch self {
        case .status(let status): "exit status \(status)"
        case .signal(let signal): "signal \(signal)" + (Self.names[signal].map { " (\($0))" } ?? "")
        case .unknown: "an unknown end"
        }
    }

    private static let names: [Int: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU: it used up its CPU time",
        25: "SIGXFSZ: it wrote a file that is too large", 31: "SIGSYS",
    ]
}
