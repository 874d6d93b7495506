internal import CProcess

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A process that was just started, and the gateway's ends of its standard streams.
struct LaunchedChild: Sendable {
    var child: ChildHandle
    /// What is written here comes out of its standard input.
    var input: CInt
    /// Its standard output.
    var output: CInt
    /// Its standard error.
    var error: CInt
}

extension LaunchPlan {
    /// Starts the program, without a shell, in a process group and a working folder of its own.
    ///
    /// It inherits three descriptors, no blocked or ignored signal and no variable. Its limits are set right after the start,
    /// since `posix_spawn` knows none.
    /// - Throws: `LaunchError` when it cannot be started.
    func start() throws(LaunchError) -> LaunchedChild {
        try folder.make()
        let command = try command()
        let pipes = try Pipes()
        let process: pid_t
        do throws(LaunchError) {
            process = try spawn(command, pipes)
        } catch {
            pipes.closeAll()
            throw error
        }
        guard let child = ChildHandle(process, unread: pipes.input.read) else {
            kill(-process, SIGKILL)
            waitpid(process, nil, 0)
            pipes.closeAll()
            throw LaunchError(
                "cannot watch it (\(String(cString: strerror(errno)))): Linux 5.4 or later is required")
        }
        child.limit(by: settings)
        pipes.closeChildsEnds()
        return LaunchedChild(child: child, input: pipes.input.write, output: pipes.output.read, error: pipes.error.read)
    }

    private func spawn(_ command: (program: String, arguments: [String]), _ pipes: Pipes) throws(LaunchError)
        -> pid_t
    {
        let arguments = command.arguments.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addchdir_np(&actions, folder.path)
        posix_spawn_file_actions_adddup2(&actions, pipes.input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes.output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, pipes.error.write, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var process: pid_t = 0
        let code = Self.withAttributes { posix_spawn(&process, command.program, &actions, $0, arguments, variables) }
        guard code == 0 else {
            throw LaunchError(
                "\(command.program) cannot be started (\(String(cString: strerror(code)))): it must be an executable file, "
                    + "and the interpreter in its first line must exist")
        }
        return process
    }

    /// A group of its own; no signal blocked or ignored, while threads of a Swift program block most of them.
    private static func withAttributes(_ body: (UnsafePointer<posix_spawnattr_t>) -> Int32) -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        return body(&attributes)
    }
}

/// The three pipes to a process; no other process inherits them.
private struct Pipes {
    var input: (read: CInt, write: CInt)
    var output: (read: CInt, write: CInt)
    var error: (read: CInt, write: CInt)

    init() throws(LaunchError) {
        var ends = [CInt](repeating: -1, count: 6)
        for place in stride(from: 0, to: 6, by: 2) {
            let code = ends.withUnsafeMutableBufferPointer { pipe2($0.baseAddress! + place, O_CLOEXEC) }
            guard code == 0 else {
                let reason = String(cString: strerror(errno))
                for end in ends where end >= 0 { close(end) }
                throw LaunchError("cannot create a pipe to it (\(reason)): raise the gateway's limit of open files")
            }
        }
        (input, output, error) = ((ends[0], ends[1]), (ends[2], ends[3]), (ends[4], ends[5]))
    }

    /// Its standard input stays open here too: what is unread in it when the process ends was never seen by it.
    func closeChildsEnds() {
        close(output.write)
        close(error.write)
    }

    func closeAll() {
        for end in [input.read, input.write, output.read, output.write, error.read, error.write] { close(end) }
    }
}
