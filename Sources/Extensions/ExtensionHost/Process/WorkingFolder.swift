internal import Files
internal import Glibc

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
        path = Self.absolute(parent) + "/" + name
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

    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        // glibc allocates the buffer.
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
