internal import Foundation

/// An app's extension folder: `build/extension` is the program, `bundle/` is `Bundle.main`.
struct ExtensionPlace: Sendable {
    var folder: URL
    var bundleIdentifier: String

    private var root: URL { folder.appendingPathComponent(bundleIdentifier, isDirectory: true) }
    private var bundle: URL { root.appendingPathComponent("bundle", isDirectory: true) }
    var package: URL { root.appendingPathComponent("build/package", isDirectory: true) }
    /// A link into the bundle, because the main bundle is the folder of the program's file.
    var program: URL { root.appendingPathComponent("build/extension") }

    func make() throws(ExtensionBuildError) {
        do {
            try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        } catch {
            throw .cannotMake(root.path, error)
        }
    }

    /// Replaces the program and its resources; a running program keeps its file. Builds the new bundle beside the old, so
    /// that a request finds no program only for the moment of the exchange.
    func install(_ built: URL, _ source: ExtensionSource) throws {
        let files = FileManager.default
        let fresh = root.appendingPathComponent("bundle.new", isDirectory: true)
        try? files.removeItem(at: fresh)
        try files.createDirectory(at: fresh, withIntermediateDirectories: true)
        for resource in source.resources {
            let target = fresh.appendingPathComponent(source.name(of: resource))
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: resource, to: target)
        }
        try propertyList(source).write(to: fresh.appendingPathComponent("Info.plist"))
        try files.copyItem(at: built, to: fresh.appendingPathComponent("extension"))
        try? files.removeItem(at: bundle)
        try files.moveItem(at: fresh, to: bundle)
        try? files.removeItem(at: program)
        try files.createSymbolicLink(atPath: program.path, withDestinationPath: "../bundle/extension")
    }

    /// As XML, whatever format the source has, because only text has variables.
    private func propertyList(_ source: ExtensionSource) throws -> Data {
        var text = Self.minimal
        if let list = source.propertyListMembers {
            let xml = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            text = String(decoding: xml, as: UTF8.self)
        }
        for (variable, value) in variables {
            text = text.replacing("$(\(variable))", with: value).replacing("${\(variable)}", with: value)
        }
        return Data(text.utf8)
    }

    private var variables: [(String, String)] {
        [
            ("PRODUCT_MODULE_NAME", ExtensionPackage.moduleName), ("PRODUCT_NAME", ExtensionPackage.moduleName),
            ("PRODUCT_BUNDLE_IDENTIFIER", bundleIdentifier + ".NotificationService"), ("EXECUTABLE_NAME", "extension"),
            ("DEVELOPMENT_LANGUAGE", "en"), ("PRODUCT_BUNDLE_PACKAGE_TYPE", "XPC!"), ("MARKETING_VERSION", "1.0"),
            ("CURRENT_PROJECT_VERSION", "1"),
        ]
    }

    private static let minimal = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>CFBundleIdentifier</key><string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
            <key>CFBundleExecutable</key><string>extension</string>
            <key>CFBundlePackageType</key><string>XPC!</string>
        </dict>
        </plist>
        """
}
