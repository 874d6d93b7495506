internal import ArgumentParser
internal import ExtensionBuilder
internal import ExtensionHost
internal import Fields
internal import Foundation
internal import JSON
internal import PushcoteConfiguration

struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "extension", abstract: "Build, run or create a notification service extension.",
        exits: [.ok, .failed, .timedOut, .unreachable, .badConfiguration, .usage],
        discussion: """
            EXAMPLES
              pushcote extension new MyExtension
              pushcote extension build MyExtension --app com.example.app
              pushcote extension run MyExtension/push.json --app com.example.app
              pushcote extension build ../MyApp/NotificationService --app com.example.app
            """,
        subcommands: [Build.self, Run.self, New.self])

    struct Build: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "build", abstract: "Build an unmodified iOS extension for the gateway.",
            exits: [.ok, .failed, .badConfiguration, .usage],
            discussion: """
                PATH is the extension's folder, or its NotificationService.swift; an Info.plist next to it names the class. \
                Needs the Swift compiler. The first build takes a minute, later ones seconds. Registers the extension with a \
                running gateway. To make that permanent, add it to the configuration file:

                  apps:
                    com.example.app:
                      extension: {kind: swift, path: MyExtension}

                EXAMPLES
                  pushcote extension build MyExtension --app com.example.app
                  pushcote extension build NotificationService.swift --app com.example.app --release
                """)

        @Argument(help: ArgumentHelp("The extension's folder, or its only Swift file.", valueName: "path"))
        var path: String

        @Option(help: ArgumentHelp("The app whose pushes the extension changes.", valueName: "bundle id"))
        var app: String

        @Option(
            help: ArgumentHelp(
                "The folder of the gateway's extensions. (default: extensions.folder of the configuration)",
                valueName: "path"))
        var folder: String?

        @OptionGroup var configuration: ConfigurationOptions
        @OptionGroup var admin: AdminOptions

        @Option(help: ArgumentHelp("The language mode of the source: 5 or 6.", valueName: "version"))
        var swiftVersion = 5

        @Option(
            help: ArgumentHelp(
                "The source of the frameworks for Linux. (default: $PUSHCOTE_KIT, else next to the program)",
                valueName: "path"))
        var kit: String?

        @Flag(help: "Optimise; takes longer.") var release = false
        @Flag(help: "Print the compiler's output.") var verbose = false

        func validate() throws {
            guard [5, 6].contains(swiftVersion) else {
                throw ValidationError("--swift-version is '\(swiftVersion)'; accepted: 5, 6")
            }
        }

        func run() async throws {
            let source = URL(fileURLWithPath: path)
            let built = try compile(source)
            let report: JSONValue = [
                "program": .string(built.program.path), "principalClass": .string(built.principalClass),
                "isStatic": .bool(built.isStatic),
            ]
            let text = "\(built.principalClass): \(built.program.path)"
            StandardStreams.write(admin.json ? report.indentedText : text)
            if !built.isStatic {
                StandardStreams.writeError(
                    "note: libcurl's development files are missing, so the program needs Swift's libraries to run; to link "
                        + "them in, for example for the container image, install libcurl4-openssl-dev and build again")
            }
            try await register(source.path)
        }

        private func compile(_ source: URL) throws -> BuiltExtension {
            var build = ExtensionBuild(
                path: source, bundleIdentifier: app, folder: URL(fileURLWithPath: try configuredFolder()))
            build.isRelease = release
            build.languageVersion = swiftVersion
            build.kit = kit.map { URL(fileURLWithPath: $0) }
            let isVerbose = verbose
            do {
                return try build.run { if isVerbose { StandardStreams.writeError($0) } }
            } catch {
                throw CommandFailure(.failed, "\(error)")
            }
        }

        private func configuredFolder() throws -> String {
            if let folder { return folder }
            return try configuration.load().configuration.extensions.folder
        }

        private func register(_ source: String) async throws {
            let client = try AdminClient.found(at: admin.address, token: admin.token, by: configuration.sources)
            let description: JSONValue = ["extension": ["kind": .string("swift"), "path": .string(source)]]
            do throws(AdminClientError) {
                do throws(AdminClientError) {
                    _ = try await client.send(APICall(.patch, ["apps", app], json: description))
                } catch .refused(404, _) {
                    _ = try await client.send(APICall(.put, ["apps", app], json: description))
                }
            } catch .unreachable {
                StandardStreams.writeError(
                    "No gateway is running; to use the extension, add this to the configuration file:\n"
                        + "apps:\n  \(app):\n    extension: {kind: swift, path: \"\(source)\"}")
            } catch {
                throw CommandFailure(error)
            }
        }
    }

    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Create a small extension and a push to try it.",
            discussion: "EXAMPLES\n  pushcote extension new MyExtension\n  pushcote extension new hook --kind process")

        @Argument(help: ArgumentHelp("The folder to create.", valueName: "folder")) var folder: String

        @Option(help: ArgumentHelp("The kind of extension: swift, process or http.", valueName: "kind"))
        var kind = "swift"

        func validate() throws {
            guard ExtensionTemplate(rawValue: kind) != nil else {
                let kinds = ExtensionTemplate.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--kind is '\(kind)'; accepted: \(kinds)")
            }
        }

        func run() async throws {
            do {
                let template = ExtensionTemplate(rawValue: kind) ?? .swift
                let files = try template.write(to: URL(fileURLWithPath: folder))
                StandardStreams.write(files.map(\.relativePath).joined(separator: "\n"))
            } catch {
                throw CommandFailure(.failed, "\(error)")
            }
        }
    }
}

extension ExtensionCommand {
    struct Run: AdminCommand {
        static let configuration = CommandConfiguration(
            "run", abstract: "Push one payload through an app's extension and print the result.",
            exits: [.ok, .failed, .timedOut, .unreachable, .usage],
            discussion: """
                The gateway runs the extension as for every push, so the notification is on the device afterwards. "-" reads \
                standard input. Fails if the extension was not called, or if the original was shown.

                EXAMPLES
                  pushcote extension run Examples/Message/push.json --app com.example.chat
                """)

        @OptionGroup var admin: AdminOptions

        @Argument(help: ArgumentHelp("The payload.", valueName: "json file")) var file: String

        @Option(help: ArgumentHelp("The app with the extension.", valueName: "bundle id")) var app: String

        @Option(help: ArgumentHelp("The device; created if missing.", valueName: "name")) var device = "extension-run"

        @Option(help: ArgumentHelp("The time limit, such as 10s or PT10S.", valueName: "duration"))
        var timeout = Duration.seconds(40)

        func perform(with client: AdminClient) async throws -> CommandResult {
            let payload = try StandardStreams.read(file)
            let id = try await client.push(payload, [("topic", app), ("pushType", "alert")], to: device)
            guard try await client.waitUntilFinished(id, on: device, within: timeout) else {
                let time = DurationText.text(timeout)
                throw CommandFailure(.timedOut, "timed out after \(time): the extension has not finished")
            }
            let call = APICall(.get, ["notifications", id])
            let answer = try await client.send(call)
            let report = ExtensionReport(record: try client.read(answer, to: call)["extension"])
            return CommandResult(
                admin.json ? answer.text : report.text, remark: report.remark, status: report.isFine ? .ok : .failed)
        }
    }
}

extension AdminClient {
    /// Waits until a notification is delivered or discarded; false when the time is up.
    func waitUntilFinished(_ number: String, on device: String, within duration: Duration) async throws -> Bool {
        let page = try await Waiting.ask(for: duration, outcome: \.waitOutcome) { wait, timeout in
            let query: APICall.Query = [
                ("kind", "contentDelivered,discarded"), ("notification", number), ("wait", wait),
            ]
            return try await ask(APICall(.get, ["devices", device, "events"], query: query, timeout: timeout))
        }
        return !page.events.elements.isEmpty
    }
}

/// A service extension's part in `GET /notifications/{id}`.
struct ExtensionReport {
    var record: Answer

    var isFine: Bool { ["modified", "suppressed"].contains(record.verdict.line) }

    var remark: String {
        guard record.json != nil else {
            return "the app has no service extension; configure one with PUT /api/v1/apps or `apps` in the "
                + "configuration file"
        }
        return record.run.json == nil ? record.message.word ?? record.state.line : ""
    }

    var text: String {
        let run = record.run
        guard run.json != nil else { return "" }
        let time = run.answerMilliseconds.json?.double.map { " after \(Int($0.rounded())) ms" } ?? ""
        let end = ([run.end.line + time] + [run.detail.word].compactMap(\.self)).joined(separator: ", ")
        return section("BEFORE", leaves(record.before.json))
            + section("CHANGED", record.changes.elements.flatMap(lines))
            + section("RESULT", ["\(record.verdict.line): \(record.message.line) [\(record.rule.line)]", end])
            + section("LOG", run.log.elements.map { "\($0.level.text): \($0.message.text)" })
            + section("OUTPUT", run.output.text.split(separator: "\n").map(String.init))
            + section("FINDINGS", run.findings.elements.map { "\($0.finding) [\($0.id.line)]" })
    }

    private func lines(_ change: Answer) -> [String] {
        let member = change.member.line
        let after = leaves(change.after.json).map { $0.isEmpty ? member : "\(member): \($0)" }
        return after.isEmpty ? ["\(member) removed"] : after
    }

    /// Members with a value other than empty, 0 or false, as in `sound.name: default`.
    private func leaves(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        return value.sorted.leaves.filter { !["", "[]", "{}", "0", "false"].contains($0.value) }.map {
            $0.path.isEmpty ? $0.value : "\($0.path): \($0.value)"
        }
    }

    private func section(_ heading: String, _ lines: [String]) -> String {
        lines.isEmpty ? "" : heading + "\n" + lines.map { "  \($0)\n" }.joined()
    }
}
