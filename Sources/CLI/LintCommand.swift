internal import APNs
package import ArgumentParser
internal import DeviceModel
internal import Lint
internal import PushcoteConfiguration

/// `pushcote lint`: holds payloads against Apple's advice, without a gateway.
package struct LintCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Check payloads for errors and possible improvements, without a gateway.",
        usage: "pushcote lint (<file> … | -) [options]",
        discussion: """
            Files are payloads, {"aps": …}, or .apns files; "-" reads standard input. --app, or the .apns file, names the app. \
            If the section apps of the configuration describes it, its categories are checked, too. Rules in lint.silenced \
            report nothing.

            An error is something that the device ignores or drops, or that is forbidden. Errors make the command fail.

            EXAMPLES
              pushcote lint payload.json
              pushcote lint *.apns --silence title.endPunctuation
              pushcote lint - --app com.example.app --push-type alert < payload.json
              pushcote lint --list

            \(ExitStatus.paragraph([.ok, .failed, .badConfiguration, .usage]))
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("The files.", valueName: "file"))
    var files: [String] = []

    @Option(help: ArgumentHelp("The app that receives it.", valueName: "bundle id"))
    var app: String?

    @Option(help: ArgumentHelp("apns-push-type: alert, background, …", valueName: "type"))
    var pushType: PushTypeArgument?

    @Option(
        help: ArgumentHelp("A rule to turn off; repeatable.", valueName: "rule"))
    var silence: [String] = []

    @Flag(help: "List the rules.")
    var list = false

    @Flag(help: "Print as JSON.")
    var json = false

    /// Makes the command; the parser fills it.
    package init() {}

    package func validate() throws {
        guard list || !files.isEmpty else { throw ValidationError("a file is missing: (<file> … | -)") }
        for id in silence where Lint.rule(id) == nil {
            let hint = Lint.nearestRuleID(to: id).map { "did you mean \($0)?" } ?? "pushcote lint --list lists them"
            throw ValidationError("--silence: unknown rule '\(id)'; \(hint)")
        }
    }

    package func run() async throws { try perform().end() }

    /// Looks, and words what is found.
    /// - Throws: `CommandFailure` when a file or the configuration cannot be read.
    package func perform() throws -> CommandResult {
        if list { return CommandResult(json ? LintReport.catalogueJSON : LintReport.catalogue) }
        let configuration = try options.load().configuration
        let silenced = Set(silence + configuration.lint.silenced)
        var report = LintReport()
        var apps: [App] = []
        for file in files {
            guard let payload = file == "-" ? StandardStreams.readAll() : StandardStreams.readFile(file) else {
                throw CommandFailure(.failed, "\(file == "-" ? "standard input" : file) cannot be read")
            }
            let name = app ?? SendCommand.targetBundle(in: payload)
            let known = name.flatMap { name in configuration.contents.apps.first { $0.bundleID == name } }
            if let known, !apps.contains(known) { apps.append(known) }
            var subject = LintSubject(payload: payload.span.bytes, app: known)
            subject.pushType = pushType?.type
            report.add(Lint.findings(for: subject, silencing: silenced), ofFile: file == "-" ? "standard input" : file)
        }
        for app in apps {
            report.add(Lint.findings(forCategoriesOf: app, silencing: silenced), ofApp: app.bundleID)
        }
        let status: ExitStatus = report.count(.error) == 0 ? .ok : .failed
        return CommandResult(json ? report.json : report.text, remark: json ? "" : report.remark, status: status)
    }
}

/// `alert`, `background` and the other push types on the command line.
struct PushTypeArgument: ExpressibleByArgument {
    var type: PushType

    init?(argument: String) {
        guard let type = PushType(name: argument) else { return nil }
        self.type = type
    }

    static var allValueStrings: [String] { PushType.allCases.map(\.name) }
}
