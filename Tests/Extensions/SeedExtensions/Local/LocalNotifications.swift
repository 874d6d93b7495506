// The code of the talk and of the article that belongs to an app; what they leave out ("…") is filled in.
import Intents
import UIKit
import UserNotifications

enum DemoParticipants {
    static let currentUser = INPerson(
        personHandle: INPersonHandle(value: "me@mac.com", type: .emailAddress), nameComponents: nil, displayName: "@me",
        image: nil, contactIdentifier: nil, customIdentifier: "me", isMe: true, suggestionType: .none)

    static let demoParticipant: INPerson = INPerson(
        personHandle: INPersonHandle(value: "John-Appleseed@mac.com", type: .emailAddress),
        nameComponents: try? PersonNameComponents("John Appleseed"),
        displayName: "@john",
        image: INImage(imageData: UIImage(systemName: "applelogo")!.pngData()!),
        contactIdentifier: nil,
        customIdentifier: "john",
        isMe: false,
        suggestionType: .instantMessageAddress
    )
}

/// Seed 2's button.
public func scheduleMessage() throws -> UNNotificationRequest {
    let sender = [DemoParticipants.demoParticipant].randomElement()!
    let currentUser = DemoParticipants.currentUser
    let chatMessage = "テスト、テスト、テスト"
    var content = UNMutableNotificationContent()
    content.title = "New chat message"
    content.body = chatMessage
    let intent = INSendMessageIntent(
        recipients: [currentUser],
        outgoingMessageType: .outgoingMessageText,
        content: chatMessage,
        speakableGroupName: INSpeakableString(spokenPhrase: sender.displayName),
        conversationIdentifier: "chat001",
        serviceName: nil,
        sender: sender,
        attachments: nil
    )
    intent.setImage(sender.image, forParameterNamed: \.sender)
    let interaction = INInteraction(intent: intent, response: nil)
    interaction.direction = .incoming
    interaction.donate(completion: nil)
    content = try content.updating(from: intent) as! UNMutableNotificationContent
    // Show the message after 5 seconds
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
    let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: trigger)
    UNUserNotificationCenter.current().add(request)
    return request
}

/// Seed 0, 1:57: notification actions with icons.
public func actionIcons() -> UNNotificationCategory {
    let likeActionIcon = UNNotificationActionIcon(systemImageName: "hand.thumbsup")
    let likeAction = UNNotificationAction(identifier: "like-action", title: "Like", options: [], icon: likeActionIcon)
    let commentActionIcon = UNNotificationActionIcon(templateImageName: "text.bubble")
    let commentAction = UNTextInputNotificationAction(
        identifier: "comment-action", title: "Comment", options: [], icon: commentActionIcon,
        textInputButtonTitle: "Post", textInputPlaceholder: "Type here…")
    return UNNotificationCategory(
        identifier: "update-actions", actions: [likeAction, commentAction], intentIdentifiers: [], options: [])
}

/// Seed 0, 8:31 and 11:13: interruption levels.
public func interruptionLevels() -> [UNNotificationRequest] {
    let passive = UNMutableNotificationContent()
    passive.title = "Passive"
    passive.body = "I’m a passive notification, so I won’t interrupt you."
    passive.interruptionLevel = .passive

    let urgent = UNMutableNotificationContent()
    urgent.title = "Urgent"
    urgent.body = "Your account requires attention."
    urgent.interruptionLevel = .timeSensitive

    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 5, repeats: false)
    return [
        UNNotificationRequest(identifier: "passive-request-example", content: passive, trigger: trigger),
        UNNotificationRequest(identifier: "time-sensitive—example", content: urgent, trigger: trigger),
    ]
}

/// Seed 0, 18:29: a person with aliases.
public func person(_ handle: INPersonHandle, _ image: INImage?) -> INPerson {
    INPerson(
        personHandle: handle, nameComponents: nil, displayName: "Kevin", image: image, contactIdentifier: nil,
        customIdentifier: nil, aliases: nil, suggestionType: .socialProfile)
}

/// Seed 0, 16:20: an incoming call.
public func incomingCall(_ content: UNNotificationContent, from caller: INPerson) throws -> UNNotificationContent {
    let incomingCallIntent = INStartCallIntent(
        callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
        contacts: [caller], callCapability: .audioCall)
    let interaction = INInteraction(intent: incomingCallIntent, response: nil)
    interaction.direction = .incoming
    interaction.donate(completion: nil)
    return try content.updating(from: incomingCallIntent)
}
