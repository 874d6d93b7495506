internal import Foundation

/// The source of Apple's frameworks for Linux, against which extensions compile.
struct Kit: Sendable {
    let sources: URL

    static let targets: [(name: String, imports: [String])] = [
        ("ExtensionWire", []),
        ("Contacts", []),
        ("CoreLocation", ["Contacts"]),
        ("UserNotifications", ["CoreLocation", "ExtensionWire", "UniformTypeIdentifiers"]),
        ("Intents", ["Contacts", "CoreLocation", "ExtensionWire", "UserNotifications"]),
        ("UIKit", []),
        ("os", ["ExtensionWire"]),
        ("OSLog", ["os"]),
        ("MobileCoreServices", []),
        ("UniformTypeIdentifiers", []),
        ("Security", ["ExtensionWire"]),
        ("WidgetKit", ["ExtensionWire"]),
        ("CallKit", ["ExtensionWire"]),
        ("ServiceExtensionRuntime", ["ExtensionWire", "UserNotifications"]),
    ]

    /// Looks in `given`, else `$PUSHCOTE_KIT`, else the program's `share/pushcote/kit` or source tree.
    static func find(_ given: URL?) throws(ExtensionBuildError) -> Kit {
        let variable = ProcessInfo.processInfo.environment["PUSHCOTE_KIT"] ?? ""
        let folder = given ?? (variable.isEmpty ? nil : URL(fileURLWithPath: variable))
        let places = folder.map { [$0, $0.appendingPathComponent("Sources")] } ?? besideProgram
        guard let kit = places.map({ Kit(sources: $0.standardizedFileURL) }).first(where: \.isComplete) else {
            throw .noKit(searched: places.map(\.path))
        }
        return kit
    }

    private static var besideProgram: [URL] {
        guard let program = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return [] }
        var places = [
            program.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("share/pushcote/kit")
        ]
        var folder = program.deletingLastPathComponent()
        while folder.path != "/" {
            places.append(folder.appendingPathComponent("Sources"))
            folder = folder.deletingLastPathComponent()
        }
        return places
    }

    func folder(of target: String) -> URL {
        let isOurs = target == "ExtensionWire" || target == "ServiceExtensionRuntime"
        let folder = isOurs ? "Extensions" : "Extensions/AppleFacade"
        return sources.appendingPathComponent(folder).appendingPathComponent(target)
    }

    private var isComplete: Bool {
        Self.targets.allSatisfy { FileManager.default.fileExists(atPath: folder(of: $0.name).path) }
    }
}
