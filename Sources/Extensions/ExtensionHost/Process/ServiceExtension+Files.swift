package import DeviceModel

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

extension ServiceExtension {
    /// The same with paths that do not depend on the working folder: `path`, and what of the command is a file there.
    ///
    /// - Parameter folder: where relative paths start from; empty for the working folder.
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
