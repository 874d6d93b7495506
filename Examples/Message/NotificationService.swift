import Intents
import UIKit
import UserNotifications

/// Shows the sender with a picture (a communication notification).
class NotificationService: UNNotificationServiceExtension {
    var contentHandler: ((UNNotificationContent) -> Void)?
    var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        bestAttemptContent = request.content.mutableCopy() as? UNMutableNotificationContent
        guard let content = bestAttemptContent,
            let sender = content.userInfo["sender"] as? [String: Any],
            let name = sender["name"] as? String,
            let address = sender["address"] as? String
        else { return contentHandler(request.content) }

        let person = INPerson(
            personHandle: INPersonHandle(value: address, type: .emailAddress),
            nameComponents: try? PersonNameComponents(name),
            displayName: name,
            image: UIImage(named: "avatar")?.pngData().map { INImage(imageData: $0) }
                ?? INImage.systemImageNamed("person.crop.circle"),
            contactIdentifier: nil,
            customIdentifier: sender["id"] as? String)
        let intent = INSendMessageIntent(
            recipients: nil,
            outgoingMessageType: .outgoingMessageText,
            content: content.body,
            speakableGroupName: nil,
            conversationIdentifier: content.threadIdentifier,
            serviceName: nil,
            sender: person,
            attachments: nil)
        intent.setImage(person.image, forParameterNamed: \.sender)

        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate { error in
            contentHandler((try? content.updating(from: intent)) ?? content)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }
}
