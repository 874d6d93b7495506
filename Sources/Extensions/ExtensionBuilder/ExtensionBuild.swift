package import Foundation

/// Makes a program of an extension's Swift source.
///
/// A package is written around the source and compiled with `swift build`; it stays, so that the next build is quick.
package struct ExtensionBuild: Sendable {
    /// The extension's folder, or its one Swift file.
    package var path: URL
    /// The app's bundle identifier.
    package var bundleIdentifier: String
    /// Where extensions live; this one gets a folder named after the app.
    package var folder: URL
    /// Optimised, or quickly compiled.
    package var isRelease = false
    /// The language mode that the source is written in: 5 or 6.
    package var languageVersion = 5
    /// The source of Apple's frameworks for Linux; looked for when it is `nil` (`Kit.find`).
    package var kit: URL?
    /// The compiler; found in PATH when it is `nil`.
    package var swift: URL?

    /// Says what is built.
    package init(path: URL, bundleIdentifier: String, folder: URL) {
        self.path = path
        self.bundleIdentifier = bundleIdentifier
        self.folder = folder
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
        do {
            try package.write()
            let compiler = Compiler(swift: swift, package: place.package, isRelease: isRelease)
            let program = try compiler.compile(originals: package.originals, progress: progress)
            try place.install(program, source)
        } catch let error as ExtensionBuildError {
            throw error
        } catch {
            throw .unwritable("\(error)")
        }
        return BuiltExtension(program: place.program, principalClass: principalClass)
    }
}

package struct BuiltExtension: Sendable, Equatable {
    package var program: URL
    /// The class whose objects get the pushes.
    package var principalClass: String
}

/// Identifiers become folder names, so they must be what they claim to be.
enum BundleIdentifier {
    static func isUsable(_ text: String) -> Bool {
        !text.isEmpty && !text.hasPrefix(".")
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
