internal import DeviceModel

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// All that is needed to start an extension's program.
struct LaunchPlan: Sendable {
    var app: String
    var service: ServiceExtension
    var folder: WorkingFolder
    var settings: ExtensionSettings

    /// Where programs are looked for unless the app's environment says otherwise.
    private static let standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// Nothing of the gateway's own: its environment may hold keys.
    var environment: [String: String] {
        let own = [
            "PATH": Self.standardPath, "HOME": folder.temporary, "TMPDIR": folder.temporary, "LANG": "C.UTF-8",
            "PUSHCOTE_EXTENSION": "1",
        ]
        return own.merging(service.environment) { $1 }
    }

    /// The program's path and its arguments, the program's name first.
    ///
    /// - Throws: `LaunchError` when there is no such program.
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
