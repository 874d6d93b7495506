internal import Foundation

struct ExtensionSource {
    let swiftFiles: [URL]
    /// Of Info.plist; nil without one.
    let propertyListMembers: [String: Any]?
    let resources: [URL]
    let root: URL

    /// Reads a folder, or a Swift file and the Info.plist beside it.
    init(at path: URL) throws(ExtensionBuildError) {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: path.path, isDirectory: &isFolder) else { throw .noSuchPath(path.path) }
        guard isFolder.boolValue else {
            guard path.pathExtension == "swift" else { throw .noSource(path.path) }
            root = path.deletingLastPathComponent().standardizedFileURL
            swiftFiles = [path.standardizedFileURL]
            resources = []
            let beside = root.appendingPathComponent("Info.plist")
            let list = files.fileExists(atPath: beside.path) ? PropertyListFile(beside) : nil
            propertyListMembers = try list?.requiredMembers
            try check()
            return
        }
        root = path.standardizedFileURL
        let all = Self.files(in: root)
        swiftFiles = all.filter { $0.pathExtension == "swift" && $0.lastPathComponent != "Package.swift" }
        guard !swiftFiles.isEmpty else { throw .noSource(path.path) }
        let list = Self.propertyList(among: all)
        propertyListMembers = try list?.requiredMembers
        resources = all.filter {
            !Self.notResources.contains($0.pathExtension) && $0.lastPathComponent != "push.json" && $0 != list?.url
        }
        try check()
    }

    private func check() throws(ExtensionBuildError) {
        if let main = swiftFiles.first(where: { $0.lastPathComponent == "main.swift" }) { throw .mainFile(main.path) }
        for files in Dictionary(grouping: swiftFiles, by: \.lastPathComponent).values where files.count > 1 {
            throw .equalNames(files[0].path, files[1].path)
        }
    }

    private static let notResources = ["swift", "entitlements", "h", "m", "mm", "md", "storyboard", "xib"]

    /// Info.plist nearest to the root; else an extension's list of another name, such as `Push-Info.plist`, because
    /// other lists, such as `GoogleService-Info.plist`, are resources.
    private static func propertyList(among files: [URL]) -> PropertyListFile? {
        let exact = files.filter { $0.lastPathComponent == "Info.plist" }
        if let nearest = exact.min(by: { $0.pathComponents.count < $1.pathComponents.count }) {
            return PropertyListFile(nearest)
        }
        return files.filter { $0.lastPathComponent.hasSuffix("Info.plist") }.map(PropertyListFile.init)
            .first { $0.members?["NSExtension"] != nil }
    }

    /// Follows symbolic links to files and folders, once each.
    private static func files(in root: URL) -> [URL] {
        var found: [URL] = []
        var visited: Set<String> = []
        func walk(_ folder: URL) {
            guard visited.insert(folder.resolvingSymlinksInPath().path).inserted else { return }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where !name.hasPrefix(".") {
                let url = folder.appendingPathComponent(name)
                let values = try? url.resolvingSymlinksInPath().resourceValues(
                    forKeys: [.isRegularFileKey, .isDirectoryKey])
                if values?.isDirectory == true { walk(url) }
                if values?.isRegularFile == true { found.append(url) }
            }
        }
        walk(root)
        return found.sorted { $0.path < $1.path }
    }

    func name(of file: URL) -> String { String(file.path.dropFirst(root.path.count + 1)) }

    /// The class in Info.plist if the source has it, else the only extension in the source, else `NotificationService`.
    func principalClass() throws(ExtensionBuildError) -> String {
        let texts = swiftFiles.map { (try? String(contentsOf: $0, encoding: .utf8)) ?? "" }
        let code = SourcePreparation.withoutCommentsAndTexts(texts.joined(separator: "\n"))
        if let named = propertyListClass, code.matches(of: /\bclass\s+(\w+)/).contains(where: { $0.1 == named }) {
            return named
        }
        let found = Self.extensionClasses(in: code)
        if found.count == 1 { return found[0] }
        guard found.contains("NotificationService") else { throw .principalClass(found: found) }
        return "NotificationService"
    }

    private var propertyListClass: String? {
        guard let section = propertyListMembers?["NSExtension"] as? [String: Any],
            let name = section["NSExtensionPrincipalClass"] as? String
        else { return nil }
        // "$(PRODUCT_MODULE_NAME).NotificationService"
        return name.split(separator: ".").last.map(String.init)
    }

    /// The classes that descend from `UNNotificationServiceExtension`, without those that have subclasses.
    static func extensionClasses(in text: String) -> [String] {
        let classes = text.matches(of: /\bclass\s+(\w+)(?:<[^>{]*>)?\s*:\s*(?:\w+\.)*(\w+)/)
            .map { (name: String($0.1), parent: String($0.2)) }
        var extensions: Set = ["UNNotificationServiceExtension"]
        var count = 0
        while extensions.count > count {
            count = extensions.count
            for one in classes where extensions.contains(one.parent) { extensions.insert(one.name) }
        }
        let parents = Set(classes.map(\.parent))
        return classes.map(\.name).filter { extensions.contains($0) && !parents.contains($0) }
    }
}

private struct PropertyListFile {
    let url: URL
    /// nil if the file is not a property list with a dictionary.
    let members: [String: Any]?

    init(_ url: URL) {
        self.url = url
        members = (try? Data(contentsOf: url)).flatMap {
            try? PropertyListSerialization.propertyList(from: $0, format: nil) as? [String: Any]
        }
    }

    var requiredMembers: [String: Any] {
        get throws(ExtensionBuildError) {
            guard let members else { throw .propertyList(url.path) }
            return members
        }
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

    static func withoutCommentsAndTexts(_ source: String) -> String {
        source.replacing(#/(?s)//[^\n]*|/\*.*?\*/|""".*?"""|"(?:\\.|[^"\\\n])*"/#, with: " ")
    }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}
