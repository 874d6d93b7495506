import Foundation

/// A Postgres server of one suite, reached through a socket in its own folder.
/// `@unchecked`: only `init` uses the process.
final class PostgresServer: @unchecked Sendable {
    /// nil where Postgres is not installed.
    static let binaries: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap { Int($0) }.max().map { "\(root)/\($0)/bin" }
    }()

    let folder = TemporaryFolder()
    private let process = Process()
    private let input = Pipe()

    /// Returns when the server accepts connections.
    init() throws {
        let data = folder.path + "/data"
        if geteuid() == 0 { try Self.run(["chown", "postgres", folder.path]) }
        try Self.run(try Self.unprivileged(["initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync"]))
        let output = Pipe()
        try Self.set(
            process,
            // The shell ends the server with this process, which keeps its input open: a static value has no end.
            ["sh", "-c", "\"$@\" & read -r line; kill -QUIT $!; rm -rf '\(folder.path)'", "sh"]
                + Self.unprivileged([
                    "postgres", "-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c", "shared_buffers=16MB",
                ]))
        process.standardInput = input
        process.standardError = output
        try process.run()
        var log = ""
        while !log.contains("ready to accept") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { throw ServerError(log: log) }
            log += String(decoding: bytes, as: UTF8.self)
        }
        // A full pipe would block the server.
        output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
    }

    var connection: String { "host=\(folder.path) dbname=postgres user=postgres" }

    struct ServerError: Error { var log: String }

    /// The server refuses to run as root.
    private static func unprivileged(_ command: [String]) throws -> [String] {
        guard let binaries, let name = command.first else { throw ServerError(log: "Postgres is not installed") }
        let program = ["\(binaries)/\(name)"] + command.dropFirst()
        guard geteuid() == 0 else { return program }
        return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + program
    }

    private static func set(_ process: Process, _ command: [String]) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
    }

    private static func run(_ command: [String]) throws {
        let process = Process()
        try set(process, command)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw ServerError(log: command.joined(separator: " ")) }
    }
}
