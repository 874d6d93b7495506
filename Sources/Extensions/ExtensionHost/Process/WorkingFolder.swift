internal import Glibc

/// Where an app's extension runs. Nothing in it is ever removed: attachments stay there until somebody took care of them.
struct WorkingFolder: Sendable, Hashable {
    /// The folder; the process's working folder.
    let path: String

    /// - Parameters:
    ///   - parent: the folder of all apps.
    ///   - app: a bundle identifier; what is no part of one, such as a slash, does not lead out of `parent`.
    init(parent: String, app: String) {
        let name = app.utf8.enumerated().map { index, byte in
            switch Unicode.Scalar(byte) {
            case "a"..."z", "A"..."Z", "0"..."9", "-", "_": String(Unicode.Scalar(byte))
            case "." where index > 0: "."
            default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
            }
        }.joined()
        path = Self.absolute(parent) + "/" + name
    }

    /// `TMPDIR` and `HOME`.
    var temporary: String { path + "/tmp" }
    /// App groups, a folder each.
    var groups: String { path + "/groups" }
    /// The app's resources.
    var bundle: String { path + "/bundle" }
    /// What `pushcote extension build` makes.
    var builtProgram: String { path + "/build/extension" }

    /// Makes what is missing, readable by its owner only.
    /// - Throws: `LaunchError` when a folder can be neither found nor made.
    func make() throws(LaunchError) {
        var made = ""
        for part in temporary.split(separator: "/") {
            made += "/" + part
            try Self.makeFolder(made)
        }
        try Self.makeFolder(groups)
        try Self.makeFolder(bundle)
    }

    private static func makeFolder(_ path: String) throws(LaunchError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        let code = errno
        if access(path, F_OK) == 0 { return }
        throw LaunchError(
            "cannot create its working folder \(path) (\(String(cString: strerror(code)))): let the gateway write there, or set "
                + "extensions.folder to another folder")
    }

    /// A path that does not depend on the working folder.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let current = getcwd(buffer.baseAddress, buffer.count) else { return path }
            return String(cString: current) + "/" + path
        }
    }
}
