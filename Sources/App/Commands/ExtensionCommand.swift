internal import ArgumentParser
internal import DeviceModel
internal import ExtensionBuilder
internal import Foundation

/// `pushcote extension`: service extensions, from their source to a program.
struct ExtensionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Build an app's notification service extension, or start a new one.",
        discussion: """
            EXAMPLES
              pushcote extension new MyExtension
              pushcote extension build MyExtension --app com.example.app
              pushcote extension build ../MyApp/NotificationService --app com.example.app

            \(ExitStatus.paragraph([.ok, .failed, .usage]))
            """,
        subcommands: [Build.self, New.self])

    /// `pushcote extension build`.
    struct Build: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "build",
            abstract: "Compile an unmodified iOS extension into a program that the gateway runs for an app.",
            discussion: """
                PATH is the extension's folder, or its NotificationService.swift; an Info.plist beside it names the class. Needs \
                the Swift compiler. The first build takes a minute, later ones seconds. The gateway takes the new program with \
                the extension's next start.

                \(ExitStatus.paragraph([.ok, .failed, .usage]))
                """)

        @Argument(help: ArgumentHelp("The extension's folder, or its one Swift file.", valueName: "path"))
        var path: String

        @Option(help: ArgumentHelp("The app whose pushes it changes.", valueName: "bundle id"))
        var app: String

        @Option(help: ArgumentHelp("Where the gateway has its extensions.", valueName: "path"))
        var folder = ".pushcote/extensions"

        @Option(help: ArgumentHelp("The language mode of the source: 5 or 6.", valueName: "version"))
        var swiftVersion = 5

        @Option(
            help: ArgumentHelp(
                "The source of the frameworks for Linux. (default: $PUSHCOTE_KIT, else beside the program)",
                valueName: "path"))
        var kit: String?

        @Flag(help: "Optimise; takes longer.") var release = false
        @Flag(help: "Print what the compiler says.") var verbose = false
        @Flag(help: "Print as JSON.") var json = false

        func validate() throws {
            guard [5, 6].contains(swiftVersion) else {
                throw ValidationError("--swift-version is '\(swiftVersion)'; accepted: 5, 6")
            }
        }

        func run() async throws {
            var build = ExtensionBuild(
                path: URL(fileURLWithPath: path), bundleIdentifier: app, folder: URL(fileURLWithPath: folder))
            build.isRelease = release
            build.languageVersion = swiftVersion
            build.kit = kit.map { URL(fileURLWithPath: $0) }
            let isVerbose = verbose
            do {
                let built = try build.run { if isVerbose { StandardStreams.writeError($0) } }
                StandardStreams.write(
                    json
                        ? JSONText.text([
                            "program": .string(built.program.path), "principalClass": .string(built.principalClass),
                        ]) : "\(built.principalClass): \(built.program.path)")
            } catch {
                throw CommandFailure(.failed, "\(error)")
            }
        }
    }

    /// `pushcote extension new`.
    struct New: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Write a small extension, and a push to try it with.")

        @Argument(help: ArgumentHelp("Where to write; the folder is made.", valueName: "folder"))
        var folder: String

        @Option(help: ArgumentHelp("swift, process or http: how the gateway reaches it.", valueName: "kind"))
        var kind = "swift"

        func validate() throws {
            guard ExtensionTemplate.Kind(rawValue: kind) != nil else {
                let kinds = ExtensionTemplate.Kind.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--kind is '\(kind)'; accepted: \(kinds)")
            }
        }

        func run() async throws {
            do {
                let template = ExtensionTemplate(ExtensionTemplate.Kind(rawValue: kind) ?? .swift)
                let files = try template.write(to: URL(fileURLWithPath: folder))
                StandardStreams.write(files.map(\.relativePath).joined(separator: "\n"))
            } catch {
                throw CommandFailure(.failed, "\(error)")
            }
        }
    }
}
