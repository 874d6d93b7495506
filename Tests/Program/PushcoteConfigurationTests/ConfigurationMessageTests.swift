import Foundation
import PushcoteConfiguration
import TestSupport
import Testing

/// Messages about invalid configurations: input above, message below, one case per file.
@Suite struct ConfigurationMessageTests {
    static let folder = Golden.folder("Program/PushcoteConfigurationTests")
    static let names = Golden.names(in: folder)

    @Test func goldenFilesExist() { #expect(Self.names.count >= 20) }

    @Test(arguments: names) func printsTheExpectedMessage(_ name: String) throws {
        let file = Self.folder.appending(path: name)
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = Self.parts(of: text)
        var environment: [String: String] = [:]
        for line in parts["environment", default: []] {
            let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            environment[halves[0]] = halves[1]
        }
        let sources = ConfigurationSources(environment: environment, overrides: parts["flags", default: []])
        var message = "nothing"
        do {
            _ = try sources.load(text: parts["config.yaml", default: []].joined(separator: "\n"))
        } catch {
            message = error.description
        }
        let input = text.components(separatedBy: "--- says\n")[0]
        #expect(try Golden.difference(between: "\(input)--- says\n\(message)\n", and: file) == nil)
    }

    /// The lines below each `--- name`.
    private static func parts(of text: String) -> [String: [String]] {
        var parts: [String: [String]] = [:]
        var name = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("--- ") {
                name = String(line.dropFirst(4))
            } else {
                parts[name, default: []].append(String(line))
            }
        }
        return parts.mapValues { lines in lines.last == "" ? Array(lines.dropLast()) : lines }
    }
}
