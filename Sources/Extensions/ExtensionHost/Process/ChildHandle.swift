internal import CProcess
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A child process of this program, from its start until its end was seen.
final class ChildHandle: Sendable {
    /// Also its process group.
    let pid: pid_t
    /// Readable as soon as the process has ended.
    let endDescriptor: CInt
    /// The reading end of its standard input.
    private let unread: CInt
    /// Once it is reaped its number may be another process's.
    private let isReaped = Mutex(false)

    /// - Returns: nil when the system has no `pidfd_open`; then `unread` stays the caller's.
    init?(_ pid: pid_t, unread: CInt) {
        endDescriptor = shim_pidfd_open(pid)
        self.pid = pid
        self.unread = unread
        if endDescriptor < 0 { return nil }
    }

    deinit {
        close(endDescriptor)
        close(unread)
    }

    /// Kills the process and all of its group.
    func kill() {
        isReaped.withLock { isReaped in
            if !isReaped { _ = Glibc.kill(-pid, SIGKILL) }
        }
    }

    /// Takes notice of its end, and ends what is left of its group. To be called once `endDescriptor` is readable.
    func reap() -> ExitStatus {
        isReaped.withLock { isReaped in
            // Before it is reaped, so that the group's number is still its own.
            _ = Glibc.kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
            return ExitStatus(waitStatus: status)
        }
    }

    /// How much of what was written to its standard input it has not read.
    var unreadByteCount: Int {
        var count: CInt = 0
        return ioctl(unread, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Sets what never changes.
    func limit(by settings: ExtensionSettings) {
        set(RLIMIT_CORE, 0, 0)
        set(RLIMIT_NOFILE, settings.descriptorCount, settings.descriptorCount)
        set(RLIMIT_FSIZE, settings.fileByteCount, settings.fileByteCount)
        if settings.enforcesMemoryLimit {
            // Address space is reserved far beyond what is used; this only bounds what it may take between two looks.
            let byteCount = settings.memoryLimitByteCount + 4 << 30
            set(RLIMIT_AS, byteCount, byteCount)
        }
    }

    /// Lets it use so much processor time from now on, in seconds.
    func limitProcessor(seconds: Int) {
        let used = ProcessStatus.processorSeconds(of: pid) ?? 0
        // No hard limit: a later request raises it again.
        set(RLIMIT_CPU, used + 1 + seconds, nil)
    }

    private func set(_ resource: __rlimit_resource, _ soft: Int, _ hard: Int?) {
        isReaped.withLock { isReaped in
            if isReaped { return }
            _ = shim_prlimit(pid, CInt(resource.rawValue), UInt64(soft), hard.map { UInt64($0) } ?? .max)
        }
    }
}

/// How a process ended.
struct ExitStatus: Sendable, Hashable {
    /// nil when a signal ended it.
    var code: Int?
    /// nil when it ended by itself.
    var signal: Int?

    /// The macros of <sys/wait.h>: a signal's number in the low seven bits, else the exit status above them.
    init(waitStatus: Int32) {
        let signal = Int(waitStatus & 0x7f)
        if signal == 0 { code = Int(waitStatus >> 8) & 0xff } else { self.signal = signal }
    }

    /// `exit status 0` or `signal 11 (SIGSEGV)`.
    var text: String {
        guard let signal else { return "exit status \(code ?? 0)" }
        return "signal \(signal)" + (Self.names[signal].map { " (\($0))" } ?? "")
    }

    private static let names: [Int: String] = [
        1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
        9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM", 24: "SIGXCPU: it used up its CPU time",
        25: "SIGXFSZ: it wrote a file that is too large", 31: "SIGSYS",
    ]
}
