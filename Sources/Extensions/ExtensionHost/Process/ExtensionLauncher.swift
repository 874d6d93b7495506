internal import ChildProcesses
package import DeviceModel
internal import Files
internal import Glibc

struct ExtensionLauncher: Sendable {
    let app: String
    let service: ServiceExtension
    let folder: WorkingFolder
    let settings: ExtensionSettings

    /// Excludes the gateway's environment, which may hold keys.
    private var environment: [String: String] {
        let own = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.temporary,
            "TMPDIR": folder.temporary, "LANG": "C.UTF-8", "PUSHCOTE_EXTENSION": "1",
        ]
        return own.merging(service.environment) { $1 }
    }

    /// Starts the program in its own process group and working folder.
    /// - Parameter didEnd: Called once, on an arbitrary thread, unless the start fails.
    func start(didEnd: @escaping @Sendable (ChildExit) -> Void) throws(LaunchError) -> LaunchedChild {
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
        command.streams = (input: input.read, output: output.write, error: error.write)
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
            try process.whenEnded(didEnd)
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

    /// Sets the permanent limits right after the start, because `posix_spawn` cannot.
    private func limit(_ process: ChildProcess) {
        process.limit(.coreSize, to: 0)
        process.limit(.descriptors, to: settings.descriptorCount)
        process.limit(.fileSize, to: settings.fileByteCount)
        // Programs reserve far more address space than they use; this bounds growth between two measurements.
        if settings.enforcesMemoryLimit {
            process.limit(.addressSpace, to: min(settings.memoryLimitByteCount, 1 << 40) + 4 << 30)
        }
    }

    func command() throws(LaunchError) -> (program: String, arguments: [String]) {
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
            do throws(LaunchError) {
                return (try program(name), command)
            } catch {
                let words = name.split(separator: " ")
                guard command.count == 1, words.count > 1 else { throw error }
                throw LaunchError(
                    error.message
                        + "; its command is one text, without a shell: write [\(words.joined(separator: ", "))]")
            }
        }
    }

    private func program(_ name: String) throws(LaunchError) -> String {
        if name.contains("/") {
            let path = FileStore.absolutePath(name)
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

struct LaunchedChild: Sendable {
    let process: ChildProcess
    let input: CInt
    /// The read end of its standard input; at exit, bytes left there never reached the process.
    let unread: CInt
    let output: CInt
    let error: CInt

    var unreadByteCount: Int {
        var count: CInt = 0
        return ioctl(unread, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }
}

/// Why an extension cannot start or be reached; messages follow the extension's name.
struct LaunchError: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

extension ServiceExtension {
    /// Makes `path` and the files in the command absolute.
    /// - Parameter folder: The base of relative paths; empty for the working folder.
    package func located(in folder: String) -> ServiceExtension {
        let folder = FileStore.absolutePath(folder.isEmpty ? "." : folder)
        var located = self
        located.path = path.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        located.command = command.map { word in
            let path = "\(folder)/\(word)"
            return word.hasPrefix("/") || word.hasPrefix("-") || access(path, F_OK) != 0 ? word : path
        }
        return located
    }
}

/// The folder in which an app's extension runs. Files stay: the gateway moves attachments later.
struct WorkingFolder: Sendable {
    let path: String

    /// - Parameter app: A bundle identifier; other characters, such as a slash, are escaped.
    init(parent: String, app: String) {
        let name = app.utf8.enumerated().map { index, byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(Unicode.Scalar(byte))
            case "." where index > 0: "."
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }.joined()
        path = FileStore.absolutePath(parent) + "/" + name
    }

    /// `TMPDIR` and `HOME`.
    var temporary: String { path + "/tmp" }
    /// A folder per app group.
    var groups: String { path + "/groups" }
    var bundle: String { path + "/bundle" }
    var builtProgram: String { path + "/build/extension" }

    /// Creates missing folders, with access for the owner only.
    func make() throws(LaunchError) {
        do throws(FileProblem) {
            for folder in [temporary, groups, bundle] { try FileStore.makeFolder(folder, mode: 0o700) }
        } catch {
            throw LaunchError(
                "cannot create its working folder \(error.path) (\(error.reason)): let the gateway write there, or set "
                    + "extensions.folder to another folder")
        }
    }
}
