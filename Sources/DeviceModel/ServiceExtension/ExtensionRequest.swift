package import APNs

/// One call of `didReceive(_:withContentHandler:)`.
package struct ExtensionRequest: Sendable, Hashable {
    package var notification: UInt64
    package var device: String
    /// `request.identifier`: the collapse identifier, or a generated one.
    package var identifier: String
    /// In the device's language.
    package var content: NotificationContent
    /// `userInfo`.
    package var payload: [UInt8]
    package var app: App
    package var settings: NotificationSettings
    package var locale: String
    /// Files and keychain are unreadable until the first unlock after boot (C.5).
    package var isUnlockedSinceBoot: Bool
    /// On the device's clock.
    package var at: Instant
    /// The generation of the requesting state: after a restore, the number may belong to another notification.
    package var generation: UInt64

    package init(
        notification: UInt64, device: String, identifier: String, content: NotificationContent, payload: [UInt8],
        app: App, settings: NotificationSettings = NotificationSettings(), locale: String = "en_US",
        isUnlockedSinceBoot: Bool = true, at: Instant, generation: UInt64 = 0
    ) {
        self.notification = notification
        self.device = device
        self.identifier = identifier
        self.content = content
        self.payload = payload
        self.app = app
        self.settings = settings
        self.locale = locale
        self.isUnlockedSinceBoot = isUnlockedSinceBoot
        self.at = at
        self.generation = generation
    }
}
