/// What `updating(from:)` attached to content: who it comes from, and to whom it goes.
package struct CommunicationContext: Sendable, Hashable {
    package var intent = Intent.sendMessage
    /// Who wrote or calls.
    package var sender = Person()
    /// To whom the message goes, or who else is in the call.
    package var recipients: [Person] = []
    /// `speakableGroupName`.
    package var groupName: String?
    /// The SHA-256 of the image that `setImage` gave the group, or the call; in hexadecimal digits.
    package var groupImageDigest: String?
    package var conversationIdentifier: String?
    /// The service that carries the message, where the app has several.
    package var serviceName: String?
    /// `INSendMessageIntentDonationMetadata.recipientCount`; overrides the number of recipients.
    package var recipientCount: Int?
    package var mentionsCurrentUser = false
    package var isReplyToCurrentUser = false
    package var notifiesRecipientAnyway = false
    package var callCapability = CallCapability.unknown
    package var isMissedCall = false

    package init() {}

    /// The system intents that may be attached.
    package enum Intent: String, CaseIterable, Sendable {
        case sendMessage = "INSendMessageIntent"
        case startCall = "INStartCallIntent"
    }

    /// `INCallCapability`.
    package enum CallCapability: String, CaseIterable, Sendable {
        case unknown, audioCall, videoCall
    }
}

extension CommunicationContext {
    /// Whom a message goes to beside the person who holds the device; neither that person nor the sender counts.
    package var otherRecipients: [Person] { recipients.filter { !$0.isMe && !$0.isSame(as: sender) } }

    /// How many people a message goes to beside the person who holds the device.
    ///
    /// `recipientCount` overrides the recipients named, of which it counts the person who holds the device as one
    /// (Apple, "INSendMessageIntentDonationMetadata"; the counting is an Assumption).
    package var otherRecipientCount: Int { recipientCount.map { max(0, $0 - 1) } ?? otherRecipients.count }

    /// Whether it is a message to a group (E.2); a `groupName` alone does not make it one.
    package var isGroup: Bool { intent == .sendMessage && otherRecipientCount > 0 }

    /// The image to show: the group's own, if it is one and has one, else the sender's (E.2).
    package var imageDigest: String? {
        let isShared = isGroup || intent == .startCall && !otherRecipients.isEmpty
        return (isShared ? groupImageDigest : nil) ?? sender.imageDigest
    }
}
