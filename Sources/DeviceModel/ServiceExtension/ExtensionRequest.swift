package import APNs

/// What a service extension is asked: one `didReceive(_:withContentHandler:)`.
package struct ExtensionRequest: Sendable, Hashable {
    package var notification: UInt64
    package var device: String
    /// `request.identifier`: the collapse identifier, else a name of its own.
    package var identifier: String
    /// The content as the payload says it, in the device's language.
    package var content: NotificationContent
    /// The payload; `userInfo`.
    package var payload: [UInt8]
    package var app: App
    /// What the person decided about the app's notifications on the device.
    package var settings: NotificationSettings
    /// The device's language and region, such as `ja_JP`.
    package var locale: String
    /// Whether the device was unlocked since it booted; before, neither files nor keychain can be read (C.5).
    package var isUnlockedSinceBoot: Bool
    /// When the extension was asked for, on the device's clock.
    package var at: Instant
    /// The state that asked: a loaded state may have another notification of the number.
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
