package import Foundation

/// Text files beside the tests, one case each.
/// `RECORD_GOLDEN=1` rewrites them and fails the comparison, so that a person reads the difference.
package enum Golden {
    /// The repository's root.
    package static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// - Parameter target: The target's folder in `Tests`, such as `Admin/PicturesTests`.
    package static func folder(_ target: String) -> URL { root.appending(path: "Tests/\(target)/Golden") }

    package static func names(in folder: URL) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).sorted()
    }

    /// nil when the text equals the file; `RECORD_GOLDEN=1` rewrites the file.
    package static func difference(between text: String, and file: URL) throws -> String? {
        if isRecording {
            try Data(text.utf8).write(to: file)
            return "\(file.lastPathComponent) was rewritten"
        }
        let expected = try String(contentsOf: file, encoding: .utf8)
        return text == expected ? nil : "\(file.lastPathComponent) says:\n\(expected)\nbut it is:\n\(text)"
    }
}
