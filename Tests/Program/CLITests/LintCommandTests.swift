import ArgumentParser
import CLI
import Foundation
import Testing

@testable import pushcote

/// `pushcote lint`: files in, findings and exit code out.
@Suite struct LintCommandTests {
    /// Lints files of the given contents; `%` in the arguments is replaced by their folder.
    static func run(_ files: [String: String], _ arguments: String...) throws -> CommandResult {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let arguments = arguments.map { $0.replacing("%", with: folder.path) }
        let command = try #require(try PushcoteCommand.parseAsRoot(["lint"] + arguments) as? LintCommand)
        var result = try command.perform()
        result.output = result.output.replacing(folder.path + "/", with: "")
        return result
    }

    static let good = #"{"aps":{"alert":{"title":"Order Shipped","body":"It arrives today."}}}"#
    static let poor = #"{"aps":{"alert":{"title":"Update","body":"It arrives today."}}}"#

    @Test func aGoodPayloadHasNoFindings() throws {
        #expect(try Self.run(["a.json": Self.good], "%/a.json") == CommandResult("", remark: "No findings."))
    }

    @Test func aWarningDoesNotFail() throws {
        let result = try Self.run(["a.json": Self.poor], "%/a.json")
        #expect(result.output.hasPrefix("a.json: warning: aps.alert.title: "))
        #expect(result.output.contains(" [title.generic, HIG Notifications (S3-14)]\n    for example "))
        #expect(result.remark == "1 warning.")
        #expect(result.status == .ok)
    }

    @Test func anErrorFails() throws {
        let result = try Self.run(["a.json": #"{"aps":{},}"#, "b.json": Self.good], "%/b.json", "%/a.json")
        #expect(result.output.hasPrefix("a.json: error: "))
        #expect(result.status == .failed)
    }

    @Test func rulesAreSilenced() throws {
        let arguments = try Self.run(["a.json": Self.poor], "%/a.json", "--silence", "title.generic")
        #expect(arguments.remark == "No findings.")
        let setting = try Self.run(["a.json": Self.poor], "%/a.json", "--set", "lint.silenced=title.generic")
        #expect(setting.remark == "No findings.")
    }

    @Test func theAppIsTakenIntoAccount() throws {
        let config = """
            apps:
              com.example.app:
                displayName: Post Haste
                entitlements: []
                categories: [{identifier: SHIP, hiddenPreviewsBodyPlaceholder: Shipment, actions: [{identifier: A, title: track}]}]
            """
        let payload = Self.good.replacing("\"aps\":{", with: "\"aps\":{\"interruption-level\":\"time-sensitive\",")
        let named = payload.replacing("{\"aps\"", with: "{\"Simulator Target Bundle\":\"com.example.app\",\"aps\"")
        let files = ["config.yaml": config, "a.json": payload, "a.apns": named]
        #expect(try Self.run(files, "%/a.json", "--config", "%/config.yaml").status == .ok)
        let runs = [
            try Self.run(files, "%/a.apns", "--config", "%/config.yaml"),
            try Self.run(files, "%/a.json", "--config", "%/config.yaml", "--app", "com.example.app"),
        ]
        for result in runs {
            #expect(result.output.contains("[level.ts.noEntitlement, WWDC21 10091 (S0-26)]"))
            #expect(result.output.contains("com.example.app: warning: categories.SHIP.actions.A"))
            #expect(result.status == .failed)
        }
    }

    @Test func theTopicIsCheckedWithThePushType() throws {
        let update = #"{"aps":{"event":"update","timestamp":1,"content-state":{"step":1}}}"#
        let topic = "com.example.app.push-type.liveactivity"
        let rows = [
            ("com.example.app", "liveactivity", "la.topic.suffix"), (topic, "alert", "la.pushType"),
            (topic, "liveactivity", nil), ("com.example.app", "alert", nil),
        ]
        for (topic, type, rule) in rows {
            let result = try Self.run(["a.json": update], "%/a.json", "--topic", topic, "--push-type", type)
            for id in ["la.topic.suffix", "la.pushType"] {
                #expect(result.output.contains("[\(id), ") == (id == rule), "\(topic) \(type)")
            }
        }
    }

    @Test func theTopicNamesTheApp() throws {
        let payload = Self.good.replacing("\"aps\":{", with: "\"aps\":{\"interruption-level\":\"time-sensitive\",")
        let files = ["config.yaml": "apps: {com.example.app: {entitlements: []}}", "a.json": payload]
        let result = try Self.run(files, "%/a.json", "--config", "%/config.yaml", "--topic", "com.example.app.voip")
        #expect(result.output.contains("[level.ts.noEntitlement, "))
    }

    @Test(arguments: [
        ["--topic", "a.b", "--app", "a.b"], ["--topic", "a.b", "--donation"], ["--topic", "a.b", "--markup"],
        ["--app", "a.b", "--donation"], ["--app", "a.b", "--markup"], ["--push-type", "alert", "--donation"],
        ["--push-type", "alert", "--markup"], ["--donation", "--markup"],
    ]) func optionsThatExcludeEachOtherAreRejected(_ options: [String]) {
        #expect(throws: (any Error).self) { try PushcoteCommand.parseAsRoot(["lint", "a.json"] + options) }
    }

    @Test func thePushTypeDecidesWhatIsAnAlert() throws {
        let result = try Self.run(["a.json": Self.poor], "%/a.json", "--push-type", "background")
        #expect(!result.output.contains("title.generic"))
    }

    @Test func jsonMatchesTheAdminAPI() throws {
        struct Report: Decodable {
            struct File: Decodable { var file: String, findings: [Finding] }
            struct Finding: Decodable { var id, severity, message, path, source, fix: String }
            var files: [File]
        }
        let result = try Self.run(["a.json": Self.poor], "%/a.json", "--json")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        #expect(report.files.map(\.file) == ["a.json"])
        #expect(report.files[0].findings.map(\.id) == ["title.generic"])
        #expect(result.remark.isEmpty)
    }

    @Test func theCatalogueHasEveryRule() throws {
        let list = try Self.run([:], "--list")
        #expect(list.output.contains("title.generic"))
        #expect(try Self.run([:], "--list", "--json").output.contains(#""id" : "marketing.noSettings""#))
    }

    @Test func unreadableInputIsReported() throws {
        #expect(throws: CommandFailure(.failed, "/nowhere.json: No such file or directory")) {
            try Self.run([:], "/nowhere.json")
        }
    }
}
