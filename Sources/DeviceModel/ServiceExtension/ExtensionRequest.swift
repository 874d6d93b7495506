public import APNs

/// What a service extension is asked: one `didReceive(_:withContentHandler:)`.
public struct ExtensionRequest: Sendable, Hashable {
    /// The notification's number.
    public var notification: UInt64
    /// The device's name.
    public var device: String
    /// `request.identifier`: the collapse identifier, else a name of its own.
    public var identifier: String
    /// The content as the payload says it, in the device's language.
    public var content: NotificationContent
    /// The payload; `userInfo`.
    public var payload: [UInt8]
    /// The app with the extension.
    public var app: App
    /// What the person decided about the app's notifications on the device.
    public var settings: NotificationSettings
    /// The device's language and region, such as `ja_JP`.
    public var locale: String
    /// Whether the device was unlocked since it booted; before, neither files nor keychain can be read (C.5).
    public var isUnlockedSinceBoot: Bool
    /// When the extension was asked for, on the device's clock.
    public var at: Instant

    /// Makes a request.
    public init(
        notification: UInt64, device: String, identifier: String, content: NotificationContent, payload: [UInt8],
        app: App, settings: NotificationSettings = NotificationSettings(), locale: String = "en_US",
        isUnlockedSinceBoot: Bool = true, at: Instant
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
    }
}
