import Foundation
import Testing

/// Text files beside the tests, one case each.
///
/// With `RECORD_GOLDEN=1` they are written anew and the run fails, so that a person reads the difference.
enum Golden {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    static let isRecording = ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

    /// Names of the files in a folder of golden files.
    static func names(in name: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)
        return (names ?? []).sorted()
    }

    /// Compares a file with what it should be.
    static func expect(_ text: String, in file: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        if isRecording {
            try Data(text.utf8).write(to: file)
            Issue.record("\(file.lastPathComponent) was written anew", sourceLocation: sourceLocation)
        } else {
            let expected = try String(contentsOf: file, encoding: .utf8)
            #expect(text == expected, sourceLocation: sourceLocation)
        }
    }
}
