internal import Foundation

/// `swift build`.
struct Compiler: Sendable {
    var swift: URL?
    var package: URL
    var isRelease: Bool

    private var configuration: String { isRelease ? "release" : "debug" }

    /// Compiles.
    /// - Returns: The program.
    /// - Throws: `ExtensionBuildError.problems` or `.noCompiler`.
    func compile(originals: [String: String], progress: (String) -> Void) throws(ExtensionBuildError) -> URL {
        let (status, output) = try run(
            ["build", "--package-path", package.path, "--configuration", configuration, "--product", "extension"],
            progress)
        guard status == 0 else {
            throw .problems(BuildProblem.all(in: output, originals: originals), output: output)
        }
        return package.appendingPathComponent(".build/\(configuration)/extension")
    }

    private func run(
        _ arguments: [String], _ progress: (String) -> Void
    ) throws(ExtensionBuildError) -> (status: Int32, output: String) {
        let process = Process()
        // `env` looks in PATH, which Foundation does not.
        process.executableURL = swift ?? URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = (swift == nil ? ["swift"] : []) + arguments
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        do {
            try process.run()
        } catch {
            throw .noCompiler("\(error.localizedDescription)")
        }
        var output = Data()
        while case let part = pipe.fileHandleForReading.availableData, !part.isEmpty {
            output += part
            String(decoding: part, as: UTF8.self).split(separator: "\n").forEach { progress(String($0)) }
        }
        process.waitUntilExit()
        // env's own word for a command that is not there.
        guard process.terminationStatus != 127 else { throw .noCompiler("there is no swift in PATH") }
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
