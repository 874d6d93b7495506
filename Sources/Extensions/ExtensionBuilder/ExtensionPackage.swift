internal import Foundation

/// Two packages, because an extension can add conformances to Apple's classes (`@retroactive`) only across packages.
struct ExtensionPackage {
    static let moduleName = "NotificationServiceExtension"

    var source: ExtensionSource
    var principalClass: String
    var kit: Kit
    var place: ExtensionPlace
    var languageVersion: Int

    private var copies: URL { place.package.appendingPathComponent("Sources/\(Self.moduleName)", isDirectory: true) }
    private var kitPackage: URL { place.package.appendingPathComponent("kit", isDirectory: true) }

    var originals: [String: String] {
        Dictionary(uniqueKeysWithValues: source.swiftFiles.map { (copy(of: $0).path, $0.path) })
    }

    func write() throws {
        try writeKit()
        try writeFile(manifest, place.package.appendingPathComponent("Package.swift"))
        try writeFile(main, copies.appendingPathComponent("main.swift"))
        for file in source.swiftFiles {
            try writeFile(SourcePreparation.prepared(try text(of: file)), copy(of: file))
        }
        try removeOldCopies()
    }

    private func text(of file: URL) throws -> String {
        guard let text = String(bytes: try Data(contentsOf: file), encoding: .utf8) else {
            throw ExtensionBuildError.unwritable("\(file.path): not text in UTF-8; save it as UTF-8")
        }
        return text
    }

    private func copy(of file: URL) -> URL { copies.appendingPathComponent(source.name(of: file)) }

    private func writeKit() throws {
        let files = FileManager.default
        let sources = kitPackage.appendingPathComponent("Sources", isDirectory: true)
        try files.createDirectory(at: sources, withIntermediateDirectories: true)
        for target in Kit.targets {
            let link = sources.appendingPathComponent(target.name)
            let destination = kit.folder(of: target.name).path
            if (try? files.destinationOfSymbolicLink(atPath: link.path)) == destination { continue }
            try? files.removeItem(at: link)
            try files.createSymbolicLink(atPath: link.path, withDestinationPath: destination)
        }
        if usesCryptoKit {
            try writeFile(
                "@_exported public import Crypto\n", sources.appendingPathComponent("CryptoKit/Exports.swift"))
        }
        try writeFile(kitManifest, kitPackage.appendingPathComponent("Package.swift"))
    }

    /// An unchanged file keeps its date, so it is not recompiled.
    private func writeFile(_ text: String, _ file: URL) throws {
        guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file, options: .atomic)
    }

    private func removeOldCopies() throws {
        let wanted = Set(source.swiftFiles.map { source.name(of: $0) } + ["main.swift"])
        for name in try FileManager.default.subpathsOfDirectory(atPath: copies.path)
        where name.hasSuffix(".swift") && !wanted.contains(name) {
            try FileManager.default.removeItem(at: copies.appendingPathComponent(name))
        }
    }

    private var main: String {
        """
        import ServiceExtensionRuntime

        ServiceExtensionProcess.run { \(principalClass)() }

        """
    }

    /// Only for extensions that import it: swift-crypto takes a minute to compile.
    private var usesCryptoKit: Bool { contains(/(?m)^[ \t]*(?:@\w+[ \t]+)?import CryptoKit\b/) }

    /// Only for extensions that use it: a static FoundationNetworking needs libcurl. `Data(contentsOf:)` may download.
    private var usesNetworking: Bool {
        contains(/\b(?:URL(?:Session|Request|Response|Cache|Credential|Protocol|Auth)|HTTP(?:URL|Cookie)|contentsOf\b)/)
            || contains(/\bimport FoundationNetworking\b/)
    }

    private func contains(_ expression: some RegexComponent) -> Bool {
        source.swiftFiles.contains { ((try? String(contentsOf: $0, encoding: .utf8)) ?? "").contains(expression) }
    }

    private var manifest: String {
        // As on iOS, where one file's import of UIKit or UserNotifications exposes Foundation and URLSession.
        let flags = #"["-Xfrontend", "-import-module", "-Xfrontend", "UserNotifications"]"#
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "extension",
                products: [.executable(name: "extension", targets: ["\(Self.moduleName)"])],
                dependencies: [.package(path: "kit")],
                targets: [
                    .executableTarget(
                        name: "\(Self.moduleName)", dependencies: [.product(name: "kit", package: "kit")],
                        swiftSettings: [.swiftLanguageMode(.v\(languageVersion)), .unsafeFlags(\(flags))])
                ])

            """
    }

    private var kitManifest: String {
        var names = Kit.targets.map(\.name)
        var targets = Kit.targets.map {
            #".target(name: "\#($0.name)", dependencies: \#($0.imports), swiftSettings: settings)"#
        }
        if usesCryptoKit {
            names.append("CryptoKit")
            let crypto = #"[.product(name: "Crypto", package: "swift-crypto")]"#
            targets.append(#".target(name: "CryptoKit", dependencies: \#(crypto), swiftSettings: settings)"#)
        }
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let settings: [SwiftSetting] = [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),\(usesNetworking ? "" : "\n    .define(\"NO_NETWORKING\"),")
            ]

            let package = Package(
                name: "kit",
                products: [.library(name: "kit", type: .static, targets: \(names))],
                dependencies: [\(usesCryptoKit ? Self.swiftCrypto : "")],
                targets: [
                    \(targets.joined(separator: ",\n        "))
                ],
                swiftLanguageModes: [.v6])

            """
    }

    private static let swiftCrypto = #".package(url: "https://github.com/apple/swift-crypto", "3.0.0"..<"5.0.0")"#
}
