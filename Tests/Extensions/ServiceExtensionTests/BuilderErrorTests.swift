import Foundation
import Testing

@testable import ExtensionBuilder

/// What the builder reads from a source, and how it rejects one, without the compiler.
@Suite final class BuilderErrorTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private static let text = "import UserNotifications\nclass NotificationService: UNNotificationServiceExtension {}\n"

    init() throws { try write(Self.text, "source/NotificationService.swift") }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var source: URL { folder.appendingPathComponent("source") }

    private func write(_ text: String, _ name: String) throws { try write(Data(text.utf8), name) }

    private func write(_ bytes: Data, _ name: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
    }

    private func list(_ principalClass: String, format: PropertyListSerialization.PropertyListFormat) throws -> Data {
        let list = [
            "NSExtension": ["NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).\(principalClass)"],
            "Shared": ["group": "$(PRODUCT_BUNDLE_IDENTIFIER)"],
        ]
        return try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
    }

    private func build() -> ExtensionBuild {
        var build = ExtensionBuild(
            path: source, bundleIdentifier: "com.example.app", folder: folder.appendingPathComponent("extensions"))
        build.kit = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        return build
    }

    private func failure(_ build: ExtensionBuild) -> String {
        do {
            _ = try build.run()
            return ""
        } catch {
            return error.description
        }
    }

    @Test func otherListsAreResources() throws {
        try write(try list("Other", format: .xml), "source/GoogleService-Info.plist")
        try write(try list("NotificationService", format: .xml), "source/Info.plist")
        let source = try ExtensionSource(at: source)
        #expect(try source.principalClass() == "NotificationService")
        #expect(source.resources.map(\.lastPathComponent) == ["GoogleService-Info.plist"])
    }

    @Test func aListWithAnotherNameIsTheExtensionsIfItSaysSo() throws {
        try write("<plist version=\"1.0\"><dict/></plist>", "source/GoogleService-Info.plist")
        #expect(try ExtensionSource(at: source).propertyListMembers == nil)
        try write(try list("Push", format: .xml), "source/Push-Info.plist")
        #expect(try ExtensionSource(at: source).principalClass() == "NotificationService", "the source has no Push")
        try write("final class Push: UNNotificationServiceExtension {}", "source/Push.swift")
        #expect(try ExtensionSource(at: source).principalClass() == "Push")
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func aListOfAnyFormatIsInstalled(_ format: PropertyListSerialization.PropertyListFormat) throws {
        try write(try list("NotificationService", format: format), "source/Info.plist")
        try write("program", "program")
        let place = ExtensionPlace(folder: folder, bundleIdentifier: "com.example.app")
        try place.make()
        try place.install(folder.appendingPathComponent("program"), ExtensionSource(at: source))
        let bytes = try Data(contentsOf: folder.appendingPathComponent("com.example.app/bundle/Info.plist"))
        let list = try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any]
        #expect((list?["Shared"] as? [String: String])?["group"] == "com.example.app.NotificationService")
    }

    @Test func subclassesReplaceTheirBase() throws {
        try write(
            "class BaseService: UNNotificationServiceExtension {}\nclass Middle<T>: BaseService {}", "source/Base.swift"
        )
        try write("final class Push: Middle<Int> {}", "source/NotificationService.swift")
        #expect(try ExtensionSource(at: source).principalClass() == "Push")
    }

    @Test func symbolicLinksAreFollowed() throws {
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: source)
        try write("struct Shared {}", "shared/Shared.swift")
        let inside = source.appendingPathComponent("Common")
        try FileManager.default.createSymbolicLink(
            at: inside, withDestinationURL: folder.appendingPathComponent("shared"))
        // A cycle ends.
        try FileManager.default.createSymbolicLink(
            at: source.appendingPathComponent("Cycle"), withDestinationURL: source)
        let source = try ExtensionSource(at: link)
        #expect(source.swiftFiles.map { source.name(of: $0) } == ["Common/Shared.swift", "NotificationService.swift"])
    }

    @Test func aMainFileIsRejected() throws {
        try write("print(1)", "source/Sub/main.swift")
        #expect(failure(build()).contains("source/Sub/main.swift: an extension has no main.swift"))
    }

    @Test func equalNamesAreRejected() throws {
        try write("", "source/A/Same.swift")
        try write("", "source/B/Same.swift")
        #expect(failure(build()).contains("A/Same.swift and \(source.path)/B/Same.swift have the same name"))
    }

    @Test(arguments: ["no list", "<plist version=\"1.0\"><array/></plist>"])
    func aListWithoutADictionaryIsRejected(_ text: String) throws {
        try write(text, "source/Info.plist")
        #expect(failure(build()).contains("source/Info.plist: not a property list with a dictionary"))
    }

    @Test func aFileAsFolderIsRejected() throws {
        try write("", "extensions")
        let text = failure(build())
        #expect(text.contains("extensions/com.example.app: cannot create this folder (Not a directory)"), "\(text)")
        #expect(text.contains("--folder"))
    }

    @Test func aSourceThatIsNotTextIsNamed() throws {
        try write(Data([0x63, 0xE9, 0x0A]), "source/Latin.swift")
        let text = failure(build())
        #expect(text.contains("source/Latin.swift") && !text.contains("NSError"), "\(text)")
    }

    @Test func severalClassesAreRejected() throws {
        try write("class A: UNNotificationServiceExtension {}", "source/NotificationService.swift")
        try write("class B: UNNotificationServiceExtension {}", "source/B.swift")
        #expect(failure(build()).contains("several classes are UNNotificationServiceExtension (B, A)"))
        try write("", "source/B.swift")
        try write("class A {}", "source/NotificationService.swift")
        #expect(failure(build()) == "no class in the source is a UNNotificationServiceExtension")
    }

    @Test func aMissingKitIsNamed() {
        var build = build()
        build.kit = folder
        #expect(failure(build).hasPrefix("the frameworks for Linux are missing"))
    }

    @Test func aMissingCompilerIsNamedAndLeavesNoDescriptor() throws {
        let compiler = Compiler(package: source, isRelease: false, program: "no-such-swift")
        func openCount() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                return target?.hasPrefix("pipe:") == true
            }.count
        }
        let before = try openCount()
        for _ in 0..<100 {
            #expect(throws: ExtensionBuildError.noCompiler("there is no no-such-swift in PATH")) {
                try compiler.compile(originals: [:]) { _ in }
            }
        }
        // Other tests open and close some.
        #expect(try openCount() < before + 50)
    }
}
