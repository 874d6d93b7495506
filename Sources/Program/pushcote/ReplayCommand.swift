internal import AdminAPI
internal import ArgumentParser
internal import CLI
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
            every command. With --check, the run is repeated, and answers, events and state are compared.

            EXAMPLES
              pushcote replay run.json
              pushcote replay run.json --check
              pushcote replay run.json --check --set assumptions.backgroundBudget=0
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The recording.") var file: String

    @Flag(help: "Repeat the run and compare; the exit status is 1 if anything differs.") var check = false

    @Option(help: ArgumentHelp("Write the listening addresses to a file, as JSON.", valueName: "path"))
    var addressesFile: String?

    @Flag(help: "Print the differences, or the start message, as JSON.") var json = false

    private static let shownCount = 20

    func run() async throws {
        var effective = try options.load()
        let bytes = try StandardStreams.read(file)
        do {
            let recording = try RecordingFile(bytes, name: file)
            effective.apply(recorded: recording.settings)
            guard !check else {
                return try print(try recording.check(effective.configuration), about: recording)
            }
            var server = try PushcoteServer.make(effective, options.sources)
            try server.replay(recording)
            try await server.serve(handlesSignals: true) { gateway in
                try gateway.announce(json, above: "Replay of \(recording.title)", addressesFile: addressesFile)
            }
        } catch let error as StartError {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    private func print(_ report: ReplayReport, about recording: RecordingFile) throws {
        let isSame = report.differences.isEmpty
        var lines = ["Replayed \(recording.title)"]
        lines.append("\(report.answerCount) of \(report.requestCount) answers recomputed")
        lines.append(isSame ? "No difference." : "Differences: \(report.differences.count)")
        lines += report.differences.prefix(Self.shownCount).map { "  " + $0 }
        StandardStreams.write(json ? JSONValue(report).indentedText : lines.joined(separator: "\n"))
        if !isSame { throw ExitCode(ExitStatus.failed.rawValue) }
    }
}
