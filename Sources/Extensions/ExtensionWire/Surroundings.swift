package import Foundation

/// What the host said about the app and the device with the latest request.
package struct Surroundings: Sendable {
    /// The app's bundle identifier.
    package var bundleIdentifier: String
    /// The app's name.
    package var displayName: String
    /// Identifiers of the entitlements that the app has.
    package var entitlements: [String]
    /// `NSUserActivityTypes` of the app.
    package var userActivityTypes: [String]
    package var deviceName: String
    /// Before the first unlock after the boot neither the keychain nor app groups can be read.
    package var isUnlockedSinceBoot: Bool
    /// The person's notification settings for the app, as the host says them.
    package var settings: WireValue
    /// Where app groups have their folders.
    package var groups: URL
    /// Where the extension may write.
    package var temporary: URL

    /// Reads a `didReceive` message; what it does not say has a default that lets an extension run.
    package init(_ message: WireValue = .object([:])) {
        let app = message["app"]
        let device = message["device"]
        let paths = message["paths"]
        let temporary = paths?["temporary"]?.text ?? NSTemporaryDirectory()
        bundleIdentifier = app?["bundleId"]?.text ?? "com.example.app"
        displayName = app?["displayName"]?.text ?? bundleIdentifier
        entitlements = app?["entitlements"]?.elements?.compactMap(\.text) ?? []
        userActivityTypes = app?["userActivityTypes"]?.elements?.compactMap(\.text) ?? []
        deviceName = device?["name"]?.text ?? "iPhone"
        isUnlockedSinceBoot = device?["isUnlockedSinceBoot"]?.bool ?? true
        settings = message["settings"] ?? .null
        self.temporary = URL(fileURLWithPath: temporary, isDirectory: true)
        groups =
            paths?["groups"]?.text.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? self.temporary.appendingPathComponent("groups", isDirectory: true)
    }
}
