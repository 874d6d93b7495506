internal import CProcess
internal import Glibc
internal import Synchronization

/// A child process of this program, from its start until its end was seen.
package final class ChildProcess: Sendable {
    /// Also its group, if it leads one.
    package let pid: Int32
    private let leadsGroup: Bool
    /// Once it is reaped its number may be another process's.
    private let isReaped = Mutex(false)

    init(pid: Int32, leadsGroup: Bool = false) {
        self.pid = pid
        self.leadsGroup = leadsGroup
    }

    /// Signals the process, or its group if it leads one, unless its end was seen.
    @discardableResult
    package func signal(_ number: Int32) -> Bool {
        isReaped.withLock { isReaped in !isReaped && kill(leadsGroup ? -pid : pid, number) == 0 }
    }

    /// Waits for its end, once, and blocks its thread. What is left of its group is killed.
    package func wait() -> ChildExit {
        var information = siginfo_t()
        // Its number stays its own until it is reaped, which is not waited for with the lock held.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 {
            guard errno == EINTR else {
                isReaped.withLock { $0 = true }
                return .unknown
            }
        }
        return isReaped.withLock { isReaped in
            // Before it is reaped, so that the group's number is still its own.
            if leadsGroup { _ = kill(-pid, SIGKILL) }
            isReaped = true
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 {
                guard errno == EINTR else { return .unknown }
            }
            return ChildExit(waitStatus: status)
        }
    }

    /// What the kernel bounds.
    package enum Resource: Sendable {
        case addressSpace, coreSize, descriptors, fileSize, processorSeconds

        fileprivate var number: CInt {
            let limit =
                switch self {
                case .addressSpace: RLIMIT_AS
                case .coreSize: RLIMIT_CORE
                case .descriptors: RLIMIT_NOFILE
                case .fileSize: RLIMIT_FSIZE
                case .processorSeconds: RLIMIT_CPU
                }
            return CInt(limit.rawValue)
        }
    }

    /// - Parameter isFinal: whether the limit can never be raised again.
    package func limit(_ resource: Resource, to value: Int, isFinal: Bool = true) {
        isReaped.withLock { isReaped in
            if !isReaped { _ = shim_prlimit(pid, resource.number, UInt64(value), isFinal ? UInt64(value) : .max) }
        }
    }
}

/// How a child ended.
package enum ChildExit: Sendable, Hashable {
    case status(Int)
    case signal(Int)
    /// Nobody can tell, so it has not succeeded.
    case unknown

    /// The macros of <sys/wait.h>: a signal's number in the low seven bits, else the exit status above them.
    fileprivate init(waitStatus: Int32) {
        let signal = Int(waitStatus & 0x7f)
        self = signal == 0 ? .status(Int(waitStatus >> 8) & 0xff) : .signal(signal)
    }

    /// The exit status that a shell reports.
    package var shellStatus: Int32 {
        switch self {
        case .status(let status): Int32(status)
        case .signal(let signal): 128 + Int32(signal)
        case .unknown: 1
        }
    }

    /// `exit status 0` or `signal 11 (SIGSEGV)`.
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
