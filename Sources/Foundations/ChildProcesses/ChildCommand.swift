internal import CProcess
internal import Glibc

/// A program to start without a shell. It inherits no blocked or ignored signals; most Swift threads block signals.
package struct ChildCommand: Sendable {
    /// A path, or a name to look up in this process's `PATH`.
    package var program: String
    /// The program's name first.
    package var arguments: [String]
    package var environment: [String: String]
    /// nil inherits this process's folder.
    package var folder: String?
    /// The child's only descriptors; nil inherits this process's streams and other inheritable descriptors.
    package var streams: (input: CInt, output: CInt, error: CInt)?
    /// Gives it a process group of its own, whose rest `ChildProcess.wait()` kills when it has ended.
    package var leadsGroup = false

    package init(program: String, arguments: [String], environment: [String: String]) {
        (self.program, self.arguments, self.environment) = (program, arguments, environment)
    }

    package func start() throws(SystemError) -> ChildProcess {
        let arguments = arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        // With SIGCHLD ignored, which is inherited, a child's exit status is lost.
        signal(SIGCHLD, SIG_DFL)
        var pid: pid_t = 0
        let code = withActions { actions in
            withAttributes { posix_spawnp(&pid, program, actions, $0, arguments, variables) }
        }
        guard code == 0 else { throw SystemError(code: code) }
        return ChildProcess(pid: pid, leadsGroup: leadsGroup)
    }

    private func withActions(_ body: (UnsafePointer<posix_spawn_file_actions_t>) -> CInt) -> CInt {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }
        if let streams {
            posix_spawn_file_actions_adddup2(&actions, streams.input, 0)
            posix_spawn_file_actions_adddup2(&actions, streams.output, 1)
            posix_spawn_file_actions_adddup2(&actions, streams.error, 2)
            posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        }
        return body(&actions)
    }

    private func withAttributes(_ body: (UnsafePointer<posix_spawnattr_t>) -> CInt) -> CInt {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (leadsGroup ? POSIX_SPAWN_SETPGROUP : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        return body(&attributes)
    }
}

/// A close-on-exec pipe. The receiver of an end closes it.
package struct ChildPipe: Sendable {
    package let read: CInt
    package let write: CInt

    package init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemError(code: errno) }
        (read, write) = (ends[0], ends[1])
    }

    package func close() {
        _ = Glibc.close(read)
        _ = Glibc.close(write)
    }
}

package struct SystemError: Error, Hashable, CustomStringConvertible {
    package let code: CInt

    package var description: String { String(cString: strerror(code)) }
}
