import ExtensionWire
import Foundation
import Testing

@testable import ExtensionBuilder

/// A real build and its program.
@Suite final class ExtensionBuildTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let sources = tests.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources")

    private func build(_ path: URL) -> ExtensionBuild {
        var build = ExtensionBuild(path: path, bundleIdentifier: "com.example.vault", folder: folder)
        build.kit = Self.sources
        return build
    }

    @Test func anUnmodifiedExtensionBecomesAProgram() throws {
        let built = try build(Self.tests.appendingPathComponent("Fixtures/Vault")).run()
        #expect(built.principalClass == "NotificationService")
        #expect(built.program.path == folder.path + "/com.example.vault/build/extension")

        let program = try ExtensionProcess(program: built.program, home: folder)
        try program.receive("{}", more: #","paths":{"groups":"\#(folder.path)/groups"}"#)
        #expect(program.next("log")?["message"] == .string("[push] Got push-1, <private>"))
        let line = try #require(program.next("log"))
        #expect(line["message"] == .string("[old] line 2") && line["level"] == .string("error"))
        #expect(
            program.next("log")?["message"] == .string("<private> shown <private> <private>   1.2 5% last"))
        #expect(program.next("log")?["message"] == .string("nothing "))
        let content = try #require(program.next("content")?["content"])
        #expect(content["title"] == .string("com.example.vault.NotificationService"))
        #expect(content["subtitle"] == .string("group.com.example"))
        #expect(content["body"] == .string("Good morning 0 -25299 0 0 second 0"))
        #expect(content["badge"] == .integer(1))
        #expect(content["threadIdentifier"] == .string("public.png"))

        try program.receive("{}", id: 2, more: #","device":{"isUnlockedSinceBoot":false}"#)
        let locked = try #require(program.next("content")?["content"])
        #expect(locked["subtitle"] == .string("locked"))
        #expect(locked["body"] == .string("Good morning -25308 -25308 -25308 -25308 nothing -25308"))
        _ = program.finish()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/.config") == ["group.com.example.plist"]
        )

        try itNeedsNoSwiftLibraries(built)
        try theAsyncFormIsBuilt()
        try aMissingAPIIsNamed()
    }

    /// As in the container image. `make test` installs libcurl's development files, which the sample's URLSession needs.
    private func itNeedsNoSwiftLibraries(_ built: BuiltExtension) throws {
        #expect(built.isStatic, "install libcurl4-openssl-dev")
        let ldd = Process()
        ldd.executableURL = URL(fileURLWithPath: "/usr/bin/ldd")
        ldd.arguments = [built.program.path]
        let output = Pipe()
        ldd.standardOutput = output
        try ldd.run()
        let libraries = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(libraries.contains("libc.so") && libraries.contains("libcurl"))
        #expect(!libraries.contains("libswift") && !libraries.contains("libFoundation"))
    }

    /// In the same folder, so that the frameworks are compiled once; in the mode of Xcode's template, and in the newest.
    private func theAsyncFormIsBuilt() throws {
        let example = Self.sources.deletingLastPathComponent().appendingPathComponent("Examples/Await")
        for version in [5, 6] {
            var build = build(example)
            build.languageVersion = version
            let program = try ExtensionProcess(program: try build.run().program, home: folder)
            try program.receive("{}", title: "Hi")
            #expect(program.next("content")?["content"]?["title"] == .string("Hi"), "Swift \(version)")
        }
    }

    /// In the same folder, so that the frameworks are compiled once.
    private func aMissingAPIIsNamed() throws {
        let source = folder.appendingPathComponent("source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        let file = source.appendingPathComponent("NotificationService.swift")
        try Data(
            """
            import UserNotifications
            class NotificationService: UNNotificationServiceExtension {
                override func serviceExtensionTimeWillExpire() { _ = UNNotificationNovelty() }
            }
            """.utf8
        ).write(to: file)
        do {
            _ = try build(file).run()
            Issue.record("compiled")
        } catch .problems(let problems, _) {
            #expect(
                problems == [
                    BuildProblem(
                        file: file.path, line: 3, column: 58,
                        message: "cannot find 'UNNotificationNovelty' in scope",
                        advice: "UNNotificationNovelty is Apple's and not in Pushcote's frameworks yet: "
                            + "please report it, or put it behind #if !os(Linux).")
                ])
        } catch {
            Issue.record(error)
        }
    }

    @Test func aFolderWithoutSourceIsRejected() {
        #expect(throws: ExtensionBuildError.noSource(folder.path)) { try self.build(self.folder).run() }
        let missing = folder.appendingPathComponent("none")
        #expect(throws: ExtensionBuildError.noSuchPath(missing.path)) { try self.build(missing).run() }
    }

    @Test(arguments: ["", "..", "a/b", "../x", ".hidden"]) func anIdentifierIsNotAPath(_ identifier: String) {
        #expect(throws: ExtensionBuildError.bundleIdentifier(identifier)) {
            var build = self.build(self.folder)
            build.bundleIdentifier = identifier
            _ = try build.run()
        }
    }

    @Test(arguments: ExtensionTemplate.allCases) func aTemplateIsWrittenOnce(_ template: ExtensionTemplate) throws {
        let target = folder.appendingPathComponent("new")
        let files = try template.write(to: target)
        #expect(files.contains { $0.lastPathComponent == "push.json" })
        #expect(throws: ExtensionBuildError.self) { try template.write(to: target) }
        if template == .swift {
            #expect(try ExtensionSource(at: target).principalClass() == "NotificationService")
        }
    }
}
