internal import Foundation

struct ExtensionSource: Sendable {
    var swiftFiles: [URL]
    var propertyList: URL?
    var resources: [URL]
    var root: URL

    /// Reads a folder, or a Swift file and the Info.plist beside it.
    init(at path: URL) throws(ExtensionBuildError) {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: path.path, isDirectory: &isFolder) else { throw .noSource(path.path) }
        guard isFolder.boolValue else {
            guard path.pathExtension == "swift" else { throw .noSource(path.path) }
            root = path.deletingLastPathComponent().standardizedFileURL
            swiftFiles = [path.standardizedFileURL]
            resources = []
            let beside = root.appendingPathComponent("Info.plist")
            propertyList = files.fileExists(atPath: beside.path) ? beside : nil
            return
        }
        root = path.standardizedFileURL
        let all = Self.files(in: root)
        swiftFiles = all.filter { $0.pathExtension == "swift" && $0.lastPathComponent != "Package.swift" }
        guard !swiftFiles.isEmpty else { throw .noSource(path.path) }
        propertyList = all.first { $0.lastPathComponent.hasSuffix("Info.plist") }
        resources = all.filter { !Self.notResources.contains($0.pathExtension) && $0.lastPathComponent != "push.json" }
    }

    private static let notResources = ["swift", "plist", "entitlements", "h", "m", "mm", "md", "storyboard", "xib"]

    private static func files(in root: URL) -> [URL] {
        let keys: [URLResourceKey] = [.isRegularFileKey]
        let walk = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: keys, options: .skipsHiddenFiles)
        let files = (walk?.compactMap { $0 as? URL } ?? []).filter {
            (try? $0.resourceValues(forKeys: Set(keys)).isRegularFile) == true
        }
        return files.map(\.standardizedFileURL).sorted { $0.path < $1.path }
    }

    func name(of file: URL) -> String { String(file.path.dropFirst(root.path.count + 1)) }

    /// The class in Info.plist, else the only one in the source, else `NotificationService`.
    func principalClass() throws(ExtensionBuildError) -> String {
        if let named = propertyListClass { return named }
        let found = swiftFiles.flatMap {
            Self.extensionClasses(in: (try? String(contentsOf: $0, encoding: .utf8)) ?? "")
        }
        if found.count == 1 { return found[0] }
        guard found.contains("NotificationService") else { throw .principalClass(found: found) }
        return "NotificationService"
    }

    private var propertyListClass: String? {
        guard let propertyList, let bytes = try? Data(contentsOf: propertyList),
            let list = try? PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any],
            let section = list["NSExtension"] as? [String: Any],
            let name = section["NSExtensionPrincipalClass"] as? String
        else { return nil }
        // "$(PRODUCT_MODULE_NAME).NotificationService"
        return name.split(separator: ".").last.map(String.init)
    }

    static func extensionClasses(in text: String) -> [String] {
        text.matches(of: /class\s+(\w+)\s*:\s*(?:UserNotifications\.)?UNNotificationServiceExtension\b/)
            .map { String($0.1) }
    }
}

/// Blanks out Objective-C-only words; lines and columns do not change.
enum SourcePreparation {
    static func prepared(_ source: String) -> String {
        source.replacing(/(?m)^([ \t]*(?:@\w+[ \t]+)?import[ \t]+)(os\.\w+)[ \t]*$/) {
            let module = $0.2.prefix { $0 != "." }
            return $0.1 + module + blank($0.2.count - module.count)
        }
        .replacing(/@objc(?:Members\b|\([^)\n]*\)|\b)/) { blank($0.0.count) }
    }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}
