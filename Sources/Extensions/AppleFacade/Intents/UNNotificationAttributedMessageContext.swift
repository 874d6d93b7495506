package import ExtensionWire
public import Foundation
public import UserNotifications

/// A message with a formatted text, since iOS 18. Its text becomes the notification's body; the attributes do not count.
open class UNNotificationAttributedMessageContext: NSObject {
    private let intent: INSendMessageIntent
    private let text: String

    public init(sendMessageIntent: INSendMessageIntent, attributedContent: NSAttributedString) {
        (intent, text) = (sendMessageIntent, attributedContent.string)
    }

    public convenience init(sendMessageIntent: INSendMessageIntent, attributedContent: AttributedString) {
        self.init(
            sendMessageIntent: sendMessageIntent,
            attributedContent: NSAttributedString(string: String(attributedContent.characters)))
    }
}

extension UNNotificationAttributedMessageContext: UNNotificationContentProviding, CommunicationProviding {
    package var json: WireValue {
        .object([
            "attributedContent": .string(text),
            "class": .string("UNNotificationAttributedMessageContext"), "sendMessageIntent": intent.json,
        ])
    }

    package var hasPeople: Bool { intent.hasPeople }
}
