package import Foundation

/// Makes a program of an extension's Swift source.
///
/// A package is written around the source and compiled with `swift build`; it stays, so that the next build is quick.
package struct ExtensionBuild: Sendable {
    package var path: URL
    package var bundleIdentifier: String
    /// Where extensions live; this one gets a folder named after the app.
    package var folder: URL
    package var isRelease = false
    /// The language mode that the source is written in: 5 or 6.
    package var languageVersion = 5
    /// The source of Apple's frameworks for Linux; looked for when it is `nil` (`Kit.find`).
    package var kit: URL?
    /// The compiler; found in PATH when it is `nil`.
    package var swift: URL?

    package init(path: URL, bundleIdentifier: String, folder: URL) {
        (self.path, self.bundleIdentifier, self.folder) = (path, bundleIdentifier, folder)
    }

    /// Builds.
    /// - Parameter progress: Gets what the compiler says, line by line.
    /// - Throws: `ExtensionBuildError`.
    package func run(progress: (String) -> Void = { _ in }) throws(ExtensionBuildError) -> BuiltExtension {
        guard BundleIdentifier.isUsable(bundleIdentifier) else { throw .bundleIdentifier(bundleIdentifier) }
        let source = try ExtensionSource(at: path)
        let principalClass = try source.principalClass()
        let place = ExtensionPlace(folder: folder, bundleIdentifier: bundleIdentifier)
        let package = ExtensionPackage(
            source: source, principalClass: principalClass, kit: try Kit.find(kit), place: place,
            languageVersion: languageVersion)
        let isStatic: Bool
        do {
            try package.write()
            let compiler = Compiler(swift: swift, package: place.package, isRelease: isRelease)
            let built = try compiler.compile(originals: package.originals, progress: progress)
            isStatic = built.isStatic
            try place.install(built.program, source)
        } catch let error as ExtensionBuildError {
            throw error
        } catch {
            throw .unwritable("\(error)")
        }
        return BuiltExtension(program: place.program, principalClass: principalClass, isStatic: isStatic)
    }
}

package struct BuiltExtension: Sendable, Equatable {
    package var program: URL
    /// The class whose objects get the pushes.
    package var principalClass: String
    /// The program runs without Swift's libraries, as in the container image.
    package var isStatic: Bool
}

/// Identifiers become folder names, so they must be what they claim to be.
enum BundleIdentifier {
    static func isUsable(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil
    }
}

package enum ExtensionBuildError: Error, Equatable, Sendable, CustomStringConvertible {
    case bundleIdentifier(String)
    case noSource(String)
    /// No class of the source is a `UNNotificationServiceExtension`, or several are.
    case principalClass(found: [String])
    /// The Linux versions of Apple's frameworks are in none of the places.
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
        case .principalClass(let found) where found.isEmpty:
            "no class in the source is a UNNotificationServiceExtension"
        case .principalClass(let found):
            "several classes are UNNotificationServiceExtension (\(found.joined(separator: ", "))); "
                + "name one in Info.plist: NSExtension, NSExtensionPrincipalClass"
        case .noKit(let searched):
            "the frameworks for Linux are missing; set PUSHCOTE_KIT to the folder \"Sources\" of Pushcote's source "
                + "(looked in \(searched.joined(separator: ", ")))"
        case .noCompiler(let detail): "no Swift compiler: \(detail); install Swift 6.2 or later (swift.org/install)"
        case .unwritable(let detail): detail
        case .problems(let problems, let output):
            problems.isEmpty ? output : problems.map(\.description).joined(separator: "\n")
        }
    }
}
