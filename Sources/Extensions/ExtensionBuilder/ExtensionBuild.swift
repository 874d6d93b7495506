package import Foundation

/// Compiles an extension's Swift source into a program, in a package that later builds reuse.
package struct ExtensionBuild: Sendable {
    package var path: URL
    package var bundleIdentifier: String
    /// The parent of all extensions' folders, which are named after their apps.
    package var folder: URL
    package var isRelease = false
    /// 5 or 6.
    package var languageVersion = 5
    /// The source of Apple's frameworks for Linux; nil searches with `Kit.find`.
    package var kit: URL?

    package init(path: URL, bundleIdentifier: String, folder: URL) {
        (self.path, self.bundleIdentifier, self.folder) = (path, bundleIdentifier, folder)
    }

    /// - Parameter progress: Receives the compiler's lines.
    package func run(progress: (String) -> Void = { _ in }) throws(ExtensionBuildError) -> BuiltExtension {
        // The identifier becomes a folder's name.
        guard bundleIdentifier.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil else {
            throw .bundleIdentifier(bundleIdentifier)
        }
        let source = try ExtensionSource(at: path)
        let principalClass = try source.principalClass()
        let place = ExtensionPlace(folder: folder, bundleIdentifier: bundleIdentifier)
        let package = ExtensionPackage(
            source: source, principalClass: principalClass, kit: try Kit.find(kit), place: place,
            languageVersion: languageVersion)
        let isStatic: Bool
        do {
            try place.make()
            try package.write()
            let compiler = Compiler(package: place.package, isRelease: isRelease)
            let built = try compiler.compile(originals: package.originals, progress: progress)
            isStatic = built.isStatic
            try place.install(built.program, source)
        } catch let error as ExtensionBuildError {
            throw error
        } catch {
            throw .file(error)
        }
        return BuiltExtension(program: place.program, principalClass: principalClass, isStatic: isStatic)
    }
}

package struct BuiltExtension: Sendable, Equatable {
    package var program: URL
    package var principalClass: String
    /// The program runs without Swift's libraries, as in the container image.
    package var isStatic: Bool
}

extension ExtensionBuildError {
    /// - Parameter error: Foundation's, which names the file and the reason apart.
    static func file(_ error: any Error) -> Self {
        let (path, reason) = pathAndReason(error)
        return .unwritable(path.map { "\($0): \(reason)" } ?? reason)
    }

    static func cannotMake(_ path: String, _ error: any Error) -> Self {
        .folder(path, reason: pathAndReason(error).reason)
    }

    private static func pathAndReason(_ error: any Error) -> (path: String?, reason: String) {
        let cocoa = error as? CocoaError
        let path = cocoa?.filePath ?? cocoa?.url?.path
        guard let cause = cocoa?.underlying as? POSIXError else { return (path, error.localizedDescription) }
        return (path, String(cString: strerror(cause.code.rawValue)))
    }
}

package enum ExtensionBuildError: Error, Equatable, Sendable, CustomStringConvertible {
    case bundleIdentifier(String)
    case noSource(String)
    case noSuchPath(String)
    /// The system calls an extension, so it has no code that runs by itself.
    case mainFile(String)
    /// The compiler, like Xcode, refuses two files of one name.
    case equalNames(String, String)
    case propertyList(String)
    /// `extensions.folder` cannot be used.
    case folder(String, reason: String)
    /// No class, or more than one, is a `UNNotificationServiceExtension`.
    case principalClass(found: [String])
    case noKit(searched: [String])
    case noCompiler(String)
    case unwritable(String)
    case problems([BuildProblem], output: String)

    package var description: String {
        switch self {
        case .bundleIdentifier(let text):
            "\"\(text)\" is not a bundle identifier; accepted: letters, digits, \"-\" and \".\", such as com.example.app"
        case .noSource(let path):
            "\(path): no Swift source; use the extension's folder, or its NotificationService.swift"
        case .noSuchPath(let path): "\(path): there is no such file or folder; check the path"
        case .mainFile(let path):
            "\(path): an extension has no main.swift, because the system starts it; move what it declares to another file"
        case .equalNames(let first, let second):
            "\(first) and \(second) have the same name, which neither Xcode nor Swift allows in one target; rename one"
        case .propertyList(let path):
            "\(path): not a property list with a dictionary; check it with plutil -lint, or plistutil"
        case .folder(let path, let reason):
            "\(path): cannot create this folder (\(reason)); use another with --folder, or extensions.folder"
        case .principalClass(let found) where found.isEmpty:
            "no class in the source is a UNNotificationServiceExtension"
        case .principalClass(let found):
            "several classes are UNNotificationServiceExtension (\(found.joined(separator: ", "))); "
                + "name one in Info.plist: NSExtension, NSExtensionPrincipalClass"
        case .noKit(let searched):
            "the frameworks for Linux are missing; set PUSHCOTE_KIT to the folder \"Sources\" of Pushcote's source "
                + "(looked in \(searched.joined(separator: ", ")))"
        case .noCompiler(let detail): "no Swift compiler: \(detail); install Swift 6.3 or later (swift.org/install)"
        case .unwritable(let detail): detail
        case .problems(let problems, let output):
            problems.isEmpty ? output : problems.map(\.description).joined(separator: "\n")
        }
    }
}
