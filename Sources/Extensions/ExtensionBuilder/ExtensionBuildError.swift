/// Why an extension cannot be built.
package enum ExtensionBuildError: Error, Equatable, Sendable, CustomStringConvertible {
    case bundleIdentifier(String)
    /// There is no Swift source at the path.
    case noSource(String)
    /// No class of the source is a `UNNotificationServiceExtension`, or several are.
    case principalClass(found: [String])
    /// The Linux versions of Apple's frameworks are in none of the places.
    case noKit(searched: [String])
    case noCompiler(String)
    /// A file or folder cannot be written.
    case unwritable(String)
    /// The source does not compile.
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
