internal import Credentials
internal import NIOPosix
internal import Synchronization
internal import UnixSignals

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A command that runs beside the gateway, with the terminal of its own.
package struct ChildProcess: Sendable {
    package var command: [String]
    package var environment: [String: String]

    package init(command: [String], environment: [String: String]) {
        self.command = command
        self.environment = environment
    }

    /// Runs the command to its end. SIGTERM and SIGINT are the command's to handle; SIGTERM is passed on to it.
    /// - Returns: Its exit status as shells tell it.
    /// - Throws: `StartError` when there is no such command.
    package func run() async throws -> Int32 {
        // Caught before there is a command that they could miss.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let process = StartedProcess(try start())
        return try await withThrowingTaskGroup(of: Int32?.self) { tasks in
            tasks.addTask { try await NIOThreadPool.singleton.runIfActive { process.wait() } }
            tasks.addTask {
                // A terminal sends SIGINT to both processes; SIGTERM comes to this one only.
                for await signal in signals where signal == .sigterm { process.signal(SIGTERM) }
                return nil
            }
            while let status = try await tasks.next() {
                guard let status else { continue }
                tasks.cancelAll()
                return status
            }
            return 1
        }
    }

    func start() throws(StartError) -> pid_t {
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process: pid_t = 0
        // Whoever started this program may ignore it, and then a child's status is thrown away.
        signal(SIGCHLD, SIG_DFL)
        let code = Self.withFreshSignals { posix_spawnp(&process, command[0], nil, $0, arguments, variables) }
        guard code == 0 else { throw StartError("\(command[0]): \(String(cString: strerror(code)))") }
        return process
    }

    /// Attributes of a process that blocks and ignores no signal: threads of a Swift program block most of them, and a child
    /// would inherit that.
    private static func withFreshSignals(_ body: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
        withUnsafeTemporaryAllocation(of: posix_spawnattr_t.self, capacity: 1) { attributes in
            withUnsafeTemporaryAllocation(of: sigset_t.self, capacity: 1) { signals in
                guard let attributes = attributes.baseAddress, let signals = signals.baseAddress else { return ENOMEM }
                posix_spawnattr_init(attributes)
                defer { posix_spawnattr_destroy(attributes) }
                sigemptyset(signals)
                posix_spawnattr_setsigmask(attributes, signals)
                sigfillset(signals)
                posix_spawnattr_setsigdefault(attributes, signals)
                posix_spawnattr_setflags(attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
                return body(attributes)
            }
        }
    }
}

/// A child process from its start until its end was seen.
final class StartedProcess: Sendable {
    private let pid: pid_t
    /// Once it is reaped its number may be another process's.
    private let isReaped = Mutex(false)

    init(_ pid: pid_t) { self.pid = pid }

    /// Sends a signal, unless its end was seen.
    @discardableResult
    func signal(_ number: Int32) -> Bool {
        isReaped.withLock { isReaped in !isReaped && kill(pid, number) == 0 }
    }

    /// Waits for its end, once; keeps its thread.
    ///
    /// - Returns: Its exit status as shells tell it.
    func wait() -> Int32 {
        var information = siginfo_t()
        // Its number stays its own until it is reaped, which is not waited for with the lock held.
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0 {
            // Nobody can tell how it ended, so it has not succeeded.
            guard errno == EINTR else { return gone() }
        }
        return isReaped.withLock { isReaped in
            isReaped = true
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 {
                guard errno == EINTR else { return 1 }
            }
            // The macros of <sys/wait.h>: a signal's number in the low seven bits, else the exit status above them.
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : 128 + signal
        }
    }

    private func gone() -> Int32 {
        isReaped.withLock { $0 = true }
        return 1
    }
}
