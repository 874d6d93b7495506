internal import ChildProcesses
package import DeviceModel
internal import Glibc

/// Starts an extension's program.
struct ExtensionLauncher: Sendable {
    let app: String
    let service: ServiceExtension
    let folder: WorkingFolder
    let settings: ExtensionSettings

    /// Nothing of the gateway's own: its environment may hold keys.
    private var environment: [String: String] {
        let own = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.temporary,
            "TMPDIR": folder.temporary, "LANG": "C.UTF-8", "PUSHCOTE_EXTENSION": "1",
        ]
        return own.merging(service.environment) { $1 }
    }

    /// Starts the program in a process group and a working folder of its own.
    ///
    /// - Parameter hasEnded: Called once if the program could be started, on the reaper's thread.
    func start(
        _ reaper: ChildReaper, hasEnded: @escaping @Sendable (ChildExit) -> Void
    ) throws(LaunchError) -> LaunchedChild {
        try folder.make()
        let (program, arguments) = try command()
        var command = ChildCommand(program: program, arguments: arguments, environment: environment)
        command.folder = folder.path
        command.leadsGroup = true
        var pipes: [ChildPipe] = []
        do throws(SystemError) {
            for _ in 0..<3 { pipes.append(try ChildPipe()) }
        } catch {
            for pipe in pipes { pipe.close() }
            throw LaunchError("cannot create a pipe to it (\(error)): raise the gateway's limit of open files")
        }
        let (input, output, error) = (pipes[0], pipes[1], pipes[2])
        command.streams = .init(input: input.read, output: output.write, error: error.write)
        let process: ChildProcess
        do throws(SystemError) {
            process = try command.start()
        } catch {
            for pipe in pipes { pipe.close() }
            throw LaunchError(
                "\(program) cannot be started (\(error)): it must be an executable file, "
                    + "and the interpreter in its first line must exist")
        }
        limit(process)
        do throws(SystemError) {
            try reaper.watch(process, hasEnded: hasEnded)
        } catch {
            process.signal(SIGKILL)
            _ = process.wait()
            for pipe in pipes { pipe.close() }
            throw LaunchError("cannot watch it (\(error)): Linux 5.4 or later is required")
        }
        close(output.write)
        close(error.write)
        return LaunchedChild(
            process: process, input: input.write, unread: input.read, output: output.read, error: error.read)
    }

    /// Sets the limits that stay, right after the start, since `posix_spawn` knows none.
    private func limit(_ process: ChildProcess) {
        process.limit(.coreSize, to: 0)
        process.limit(.descriptors, to: settings.descriptorCount)
        process.limit(.fileSize, to: settings.fileByteCount)
        // Programs reserve far more address space than they use; this bounds what it may take between two measurements.
        if settings.enforcesMemoryLimit {
            process.limit(.addressSpace, to: settings.memoryLimitByteCount + 4 << 30)
        }
    }

    /// The program's path and its arguments, the program's name first.
    private func command() throws(LaunchError) -> (program: String, arguments: [String]) {
        switch service.kind {
        case .swift:
            guard access(folder.builtProgram, X_OK) == 0 else {
                let source = service.path ?? "PATH"
                throw LaunchError(
                    "its source has not been built: run `pushcote extension build \(source) --app \(app)`")
            }
            return (folder.builtProgram, [folder.builtProgram])
        case .process, .http:
            let command = service.located(in: "").command
            guard let name = command.first, !name.isEmpty else {
                throw LaunchError("it has no command: set it to the program and its arguments")
            }
            return (try program(name), command)
        }
    }

    private func program(_ name: String) throws(LaunchError) -> String {
        if name.contains("/") {
            let path = WorkingFolder.absolute(name)
            if access(path, X_OK) == 0 { return path }
            throw LaunchError(
                "\(path) is not a program (\(String(cString: strerror(errno)))): use the path of an executable file")
        }
        let path = environment["PATH"] ?? ""
        for folder in path.split(separator: ":") where access("\(folder)/\(name)", X_OK) == 0 {
            return "\(folder)/\(name)"
        }
        throw LaunchError(
            "there is no program \(name) in \(path): use its path, or set PATH in the extension's environment")
    }
}

/// A process that was just started, and the gateway's ends of its standard streams.
struct LaunchedChild: Sendable {
    let process: ChildProcess
    let input: CInt
    /// The other end of its standard input: the process never saw what is unread in it when it ends.
    let unread: CInt
    let output: CInt
    let error: CInt

    /// How much of what was written to its standard input it has not read.
    var unreadByteCount: Int {
        var count: CInt = 0
        return ioctl(unread, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}

/// Why an extension could not be started or reached; the message follows the extension's name.
struct LaunchError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension ServiceExtension {
    /// The same with absolute paths: `path`, and the words of the command that are files.
    ///
    /// - Parameter folder: where relative paths start; empty for the working folder.
    package func located(in folder: String) -> ServiceExtension {
        let folder = WorkingFolder.absolute(folder.isEmpty ? "." : folder)
        var located = self
        located.path = path.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        located.command = command.map { word in
            let path = "\(folder)/\(word)"
            return word.hasPrefix("/") || word.hasPrefix("-") || access(path, F_OK) != 0 ? word : path
        }
        return located
    }
}
