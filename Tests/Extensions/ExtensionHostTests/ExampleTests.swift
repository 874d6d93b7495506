import DeviceModel
import Foundation
import Testing

@Suite(.bench, .timeLimit(.minutes(5))) struct ExampleTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../Examples")

    @Test func thePythonExampleModifiesTheTitle() async throws {
        let path = Self.folder.appendingPathComponent("python/extension.py").standardized.path
        let run = try await bench.ask(.python(path))
        #expect(run.answer?.title == "Neko [modified]")
        #expect(run.log == [.init(level: "info", message: "Modifying push-1")])
        #expect(run.findings.isEmpty)
    }
}
