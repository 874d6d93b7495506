import ExtensionWire
import Foundation
import Testing

/// `UserDefaults` set without `synchronize` persist for the extension's next process.
@Suite final class DefaultsTests {
    private let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: home) }

    enum End: CaseIterable {
        case input, exit, termination
    }

    /// Runs the extension once and ends it.
    /// - Returns: The badge of its answer.
    private func badge(_ end: End) throws -> Int? {
        let program = try ExtensionProcess(example: "Badge", home: home)
        try program.receive(end == .exit ? #"{"large":true}"# : "{}")
        let badge = program.next("content")?["content"]?["badge"]?.integer
        if end == .termination { program.terminate() }
        if end != .input { #expect(program.next("content") == nil) }
        let ended = program.finish()
        #expect(ended.isSignal == (end == .termination))
        #expect(ended.status == (end == .termination ? SIGTERM : 0))
        return badge
    }

    @Test(arguments: End.allCases) func aCountPersists(_ end: End) throws {
        #expect(try badge(end) == 1)
        #expect(try badge(end) == 2)
        #expect(try badge(end) == 3)
    }
}
