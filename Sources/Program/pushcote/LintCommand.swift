internal import APNs
internal import AdminAPI
internal import ArgumentParser
internal import CLI
internal import DeviceModel
internal import Fields
internal import JSON
internal import Lint
internal import PushcoteConfiguration
internal import SiriModel

struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "lint", abstract: "Check payloads for errors and possible improvements, without a gateway.",
        usage: "pushcote lint (<file> … | -) [options]",
        exits: [.ok, .failed, .badConfiguration, .usage],
        discussion: """
            Files are payloads, {"aps": …}, or .apns files; "-" reads standard input. --app, --topic, or the .apns file, \
            names the app. With --topic and --push-type, the headers are checked, too. If the section apps of the \
            configuration describes it, its categories are checked, too. Rules in lint.silenced report nothing.

            With --markup, files are mails or web pages: HTML with reservations as JSON-LD or Microdata, or JSON-LD alone.

            An error is something that the device ignores or drops, or that is forbidden. Errors make the command fail.

            EXAMPLES
              pushcote lint payload.json
              pushcote lint *.apns --silence title.endPunctuation
              pushcote lint - --app com.example.app --push-type alert < payload.json
              pushcote lint start.json --topic com.example.app.push-type.liveactivity --push-type liveactivity
              pushcote lint --markup confirmation.html
              pushcote lint --donation coffee.json
              pushcote lint --list
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: ArgumentHelp("The files.", valueName: "file")) var files: [String] = []

    @Option(help: ArgumentHelp("The app that receives it.", valueName: "bundle id")) var app: String?

    @Option(help: ArgumentHelp("apns-topic; names the app, too.", valueName: "topic")) var topic: String?

    @Option(help: ArgumentHelp("apns-push-type: alert, background, …", valueName: "type")) var pushType: PushType?

    @Option(help: ArgumentHelp("A rule to turn off; repeatable.", valueName: "rule")) var silence: [String] = []

    @Flag(help: "Check what Siri takes from mails and web pages.") var markup = false

    @Flag(help: "The files are donations, as pushcote donate takes them.") var donation = false

    @Flag(help: "List the rules.") var list = false

    @Flag(help: "Print as JSON.") var json = false

    init() {}

    func validate() throws {
        guard list || !files.isEmpty else { throw ValidationError("a file is missing: (<file> … | -)") }
        guard !markup || !donation else { throw ValidationError("--markup and --donation exclude each other") }
        for (flag, isSet) in [("--markup", markup), ("--donation", donation)] where isSet {
            guard app == nil && pushType == nil && topic == nil else {
                throw ValidationError("\(flag) excludes --app, --topic and --push-type, which are about pushes")
            }
        }
        guard topic == nil || app == nil else { throw ValidationError("--topic and --app both name the app; use one") }
        if let topic {
            do throws(FieldError) {
                _ = try FieldFormat<String>.topic.value(of: topic, at: "--topic")
            } catch {
                throw ValidationError(error.description)
            }
        }
        for id in silence where Lint.rule(id) == nil {
            let hint = Lint.nearestRuleID(to: id).map { "did you mean \($0)?" } ?? "pushcote lint --list lists them"
            throw ValidationError("--silence: unknown rule '\(id)'; \(hint)")
        }
    }

    func run() async throws { try perform().end() }

    /// - Throws: `CommandFailure` if a file or the configuration cannot be read.
    func perform() throws -> CommandResult {
        let configuration = try options.load(options.sources.ofClient).configuration
        let silenced = Set(silence + configuration.silencedLintRules)
        if list {
            return CommandResult(
                json ? JSONValue(LintRulesAnswer(silenced: silenced)).indentedText : LintReport.catalogue)
        }
        var report = LintReport()
        var apps: [App] = []
        for file in files {
            let payload = try StandardStreams.read(file)
            let place = file == "-" ? "standard input" : file
            if markup {
                report.files.append((place, Lint.findings(forMarkup: payload, silencing: silenced)))
                continue
            }
            let name = app ?? topic.map(TopicRules.bundleID) ?? PayloadKey.targetBundle(in: payload)
            let known = name.flatMap { name in configuration.contents.apps.first { $0.bundleID == name } }
            if let known, !apps.contains(known) { apps.append(known) }
            if donation {
                let subject = try Self.donation(payload, in: configuration.contents.apps, from: place)
                report.files.append((place, subject.map { Lint.findings(for: $0, silencing: silenced) } ?? []))
                continue
            }
            var subject = LintSubject(payload: payload.span.bytes, app: known)
            (subject.pushType, subject.topic) = (pushType, topic)
            subject.undeclaredApp = known == nil ? name : nil
            let ofHeaders = LintHeaders.findings(subject, silencing: silenced)
            report.files.append((place, ofHeaders + Lint.findings(for: subject, silencing: silenced)))
        }
        for app in apps {
            report.apps.append((app.bundleID, Lint.findings(forCategoriesOf: app, silencing: silenced)))
        }
        let status: ExitStatus = report.count(.error) == 0 ? .ok : .failed
        return CommandResult(json ? report.json : report.text, remark: json ? "" : report.remark, status: status)
    }

    /// nil for a list, which no rule is about.
    private static func donation(_ body: [UInt8], in apps: [App], from file: String) throws -> DonationSubject? {
        do {
            guard let json = JSONValue(body.span.bytes) else {
                throw CommandFailure(.failed, "\(file): not valid JSON")
            }
            let new = try NewDonation(json: json)
            guard case .donate(let donation) = try new.call else { return nil }
            let app = apps.first { $0.bundleID == new.app }
            return DonationSubject(donation, app: app, isByExtension: new.appState == .extension)
        } catch let error as FieldError {
            throw CommandFailure(.failed, "\(file): \(error.problems.map(\.description).joined(separator: "; "))")
        }
    }
}

struct LintReport {
    var files: [(name: String, findings: [Finding])] = []
    /// Bundle identifiers, with the findings on their categories.
    var apps: [(name: String, findings: [Finding])] = []

    private var subjects: [(name: String, findings: [Finding])] { files + apps }

    func count(_ severity: Finding.Severity) -> Int {
        subjects.reduce(0) { $0 + $1.findings.count { $0.severity == severity } }
    }

    /// One line per finding, in compiler style, followed by the correct form.
    var text: String {
        subjects.flatMap { subject in
            subject.findings.map { finding in
                let place = finding.path.isEmpty ? "" : "\(finding.path): "
                let rule = ([finding.id] + [finding.source].compactMap(\.self)).joined(separator: ", ")
                let line = "\(subject.name): \(finding.severity.rawValue): \(place)\(finding.message) [\(rule)]"
                return ([line.onOneLine] + [finding.fix].compactMap(\.self).map { "    for example \($0.onOneLine)" })
                    .joined(separator: "\n")
            }
        }.joined(separator: "\n")
    }

    var remark: String {
        let counts = Finding.Severity.allCases.reversed().compactMap { severity in
            let count = count(severity)
            return count == 0 ? nil : count.counted(severity == .info ? "hint" : severity.rawValue)
        }
        return counts.isEmpty ? "No findings." : counts.joined(separator: ", ") + "."
    }

    static var catalogue: String {
        let rows = Lint.rules.map { [$0.id, $0.severity.rawValue, $0.source, $0.sentence] }
        return TextTable(["RULE", "SEVERITY", "SOURCE", "MESSAGE"], rows).text
    }

    var json: String {
        let files = files.map { file in
            JSONValue.object(["file": .string(file.name), "findings": .array(file.findings.map(Self.json))])
        }
        let apps = apps.map { app in
            JSONValue.object(["app": .string(app.name), "categoryFindings": .array(app.findings.map(Self.json))])
        }
        return JSONValue.object(["files": .array(files), "apps": .array(apps)]).indentedText
    }

    private static func json(_ finding: Finding) -> JSONValue { JSONValue(FindingAnswer(finding)) }
}
