package import Foundation

/// Text files beside the tests, one case each.
///
/// With `RECORD_GOLDEN=1` they are rewritten and the comparison fails, so that a person reads the difference.
package enum Golden {
    /// The root of the repository.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// The golden files of a test target.
    package static func folder(_ target: String) -> URL { root.appending(path: "Tests/\(target)/Golden") }

    /// Names of the files in a folder of golden files.
    package static func names(in folder: URL) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).sorted()
    }

    /// What a file should have said; nil when it says just that.
    package static func difference(between text: String, and file: URL) throws -> String? {
        if isRecording {
            try Data(text.utf8).write(to: file)
            return "\(file.lastPathComponent) was rewritten"
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        return text == expected ? nil : "\(file.lastPathComponent) says:\n\(expected)\nbut it is:\n\(text)"
    }
}
