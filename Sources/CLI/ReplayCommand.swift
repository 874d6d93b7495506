internal import AdminAPI
internal import ArgumentParser
internal import Files
internal import FoundationEssentials
internal import JSON
internal import PushcoteConfiguration
internal import PushcoteServer

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "replay", abstract: "Show a recorded run as its gateway did, or check that it still has the same outcome.",
        exits: [.ok, .failed, .badConfiguration, .usage],
        discussion: """
            A recording is what exec --record and GET /api/v1/recordings/{name} write. Without --check, a gateway starts with \
            the state at the end of the run, its clock stopped there, and the recorded settings: look at the page, and use \
            every command. With --check, the run is repeated, and answers, notifications and events are compared.

            EXAMPLES
              pushcote replay run.json
              pushcote replay run.json --check
              pushcote replay run.json --check --set assumptions.locksBanners=false
            """)

    @Argument(help: "The recording.") var file: String

    @Flag(help: "Repeat the run and compare; the exit status is 1 if anything differs.") var check = false

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set one key, such as auth.mode=strict; repeatable. Overrides the recording.",
            valueName: "section.key=value"))
    var overrides: [String] = []

    @Option(help: ArgumentHelp("Write the listening addresses to a file, as JSON.", valueName: "path"))
    var addressesFile: String?

    @Flag(help: "Print the differences, or the start message, as JSON.") var json = false

    private static let shownCount = 20

    func run() async throws {
        let bytes = try StandardStreams.read(file)
        let sources = ConfigurationSources(environment: ProcessInfo.processInfo.environment, overrides: overrides)
        do {
            let recording = try RecordingFile(bytes, from: file)
            let effective = try sources.load(recorded: recording.settings, from: file)
            guard !check else { return try report(on: recording, try recording.check(with: effective.configuration)) }
            var server = try PushcoteServer.make(effective, sources)
            try server.replay(recording)
            try await server.serve(handlesSignals: true) { gateway in
                if let addressesFile {
                    try FileStore.write(Array((gateway.json + "\n").utf8), to: addressesFile, access: .everybody)
                }
                let note = recording.problem.map { "\nIncomplete: \($0)." } ?? ""
                StandardStreams.write(
                    json ? gateway.json : "Replay of \(recording.title)\(note)\n\(gateway.announcement)")
            }
        } catch let error as StartError {
            throw CommandFailure(.failed, "\(error)")
        } catch let error as ConfigurationError {
            throw CommandFailure(.badConfiguration, "invalid configuration\n\(error)")
        }
    }

    private func report(on recording: RecordingFile, _ report: ReplayReport) throws {
        let isSame = report.differences.isEmpty
        if json {
            let answer: JSONValue = [
                "isSame": .bool(isSame), "differences": .strings(report.differences),
                "comparedAnswers": .integer(report.answerCounts.compared),
                "requests": .integer(report.answerCounts.all), "problem": recording.problem.map { .string($0) },
            ]
            StandardStreams.write(answer.indentedText)
        } else {
            var lines = ["Replayed \(recording.title)."]
            let counts = report.answerCounts
            lines.append(
                "\(counts.compared) of \(counts.all) answers decided again"
                    + (counts.compared == counts.all
                        ? "." : "; the others depend on credentials, channels or fault rules."))
            if let problem = recording.problem {
                lines.append("Incomplete: \(problem). Notifications and events are not compared.")
            }
            lines.append(isSame ? "No difference." : "Differences: \(report.differences.count)")
            lines += report.differences.prefix(Self.shownCount).map { "  " + $0 }
            if report.differences.count > Self.shownCount { lines.append("  …") }
            StandardStreams.write(lines.joined(separator: "\n"))
        }
        if !isSame { throw ExitCode(ExitStatus.failed.rawValue) }
    }
}
