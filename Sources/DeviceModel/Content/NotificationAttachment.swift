/// A picture, sound or film that goes with a notification (`UNNotificationAttachment`).
public struct NotificationAttachment: Sendable, Hashable {
    /// Its name among the notification's attachments.
    public var identifier: String
    /// Where the file is, such as `file:///…/cat.jpg`.
    public var url: String
    /// The uniform type identifier, such as `public.jpeg`; empty when nobody said.
    public var type: String

    /// Makes an attachment.
    public init(identifier: String = "", url: String, type: String = "") {
        self.identifier = identifier
        self.url = url
        self.type = type
    }
}
