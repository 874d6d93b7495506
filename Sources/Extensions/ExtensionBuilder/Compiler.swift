internal import ChildProcesses
internal import Foundation

struct Compiler: Sendable {
    var package: URL
    var isRelease: Bool
    var program = "swift"

    private var configuration: String { isRelease ? "release" : "debug" }

    /// Links Swift's libraries statically, so that the program runs where Swift is not installed. Falls back to dynamic
    /// linking when libcurl's development files, which FoundationNetworking needs, are missing.
    func compile(
        originals: [String: String], progress: (String) -> Void
    ) throws(ExtensionBuildError) -> (program: URL, isStatic: Bool) {
        var folder = package.appendingPathComponent(".build")
        var (status, output) = try run(["--static-swift-stdlib"], in: folder, progress)
        // ld.gold: "cannot find -lcurl"; lld: "unable to find library -lcurl".
        let isStatic = status == 0 || !output.contains(/find (?:library )?-lcurl\b/)
        if !isStatic {
            // Objects compiled for static linking name libraries that only static linking has.
            folder = package.appendingPathComponent(".build-dynamic")
            (status, output) = try run([], in: folder, progress)
        }
        guard status == 0 else { throw .problems(BuildProblem.all(in: output, originals: originals), output: output) }
        return (folder.appendingPathComponent("\(configuration)/extension"), isStatic)
    }

    private func run(
        _ options: [String], in folder: URL, _ progress: (String) -> Void
    ) throws(ExtensionBuildError) -> (status: Int32, output: String) {
        let arguments = [
            "swift", "build", "--package-path", package.path, "--scratch-path", folder.path, "--configuration",
            configuration, "--product", "extension", "--disable-index-store",
        ]
        // SwiftPM leaves folders and locks behind in the temporary folder.
        let temporary = folder.appendingPathComponent("tmp")
        try? FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary.path]) { $1 }
        var command = ChildCommand(program: program, arguments: arguments + options, environment: environment)
        let process: ChildProcess
        let reader: FileHandle
        do throws(SystemError) {
            let pipe = try ChildPipe()
            reader = FileHandle(fileDescriptor: pipe.read, closeOnDealloc: true)
            let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
            defer {
                close(nothing)
                close(pipe.write)
            }
            command.streams = (input: nothing, output: pipe.write, error: pipe.write)
            process = try command.start()
        } catch {
            throw .noCompiler(error.code == ENOENT ? "there is no \(program) in PATH" : "\(error)")
        }
        var output = Data()
        while case let part = reader.availableData, !part.isEmpty {
            output += part
            String(decoding: part, as: UTF8.self).split(separator: "\n").forEach { progress(String($0)) }
        }
        return (process.wait().shellStatus, String(decoding: output, as: UTF8.self))
    }
}

package struct BuildProblem: Sendable, Hashable, CustomStringConvertible {
    package var file: String
    /// From 1, as is `column`.
    package var line: Int
    package var column: Int
    package var message: String
    /// What is missing, and whether Linux can ever have it; nil for an ordinary error.
    package var advice: String?

    package var description: String {
        "\(file):\(line):\(column): error: \(message)" + (advice.map { "\n    \($0)" } ?? "")
    }
}

extension BuildProblem {
    /// - Parameter originals: The user's files by compiled copy.
    static func all(in output: String, originals: [String: String]) -> [BuildProblem] {
        var seen: Set<BuildProblem> = []
        return output.split(separator: "\n").compactMap { BuildProblem(line: String($0), originals) }
            .filter { seen.insert($0).inserted }
    }

    private init?(line text: String, _ originals: [String: String]) {
        guard let match = text.wholeMatch(of: /(\/[^:]+):(\d+):(\d+): error: (.*)/), let line = Int(match.2),
            let column = Int(match.3)
        else { return nil }
        file = originals[String(match.1)] ?? String(match.1)
        self.line = line
        self.column = column
        message = String(match.4)
        advice = Advice.about(message)
    }
}
