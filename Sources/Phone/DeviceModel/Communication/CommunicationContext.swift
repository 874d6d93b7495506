package import Fields

/// What an app attached to content with `updating(from:)`.
package struct CommunicationContext: FieldDescribed, Hashable {
    package var intent = Intent.sendMessage
    package var sender = Person()
    package var recipients: [Person] = []
    package var groupName: String?
    package var groupImageDigest: String?
    package var conversationIdentifier: String?
    package var serviceName: String?
    package var recipientCount: Int?
    package var mentionsCurrentUser = false
    package var isReplyToCurrentUser = false
    package var notifiesRecipientAnyway = false
    package var callCapability = CallCapability.unknown
    package var isMissedCall = false

    package init() {}

    package enum Intent: String, CaseIterable, Sendable {
        case sendMessage = "INSendMessageIntent"
        case startCall = "INStartCallIntent"
    }

    /// `INCallCapability`.
    package enum CallCapability: String, CaseIterable, Sendable { case unknown, audioCall, videoCall }

    package static let fields: [Field<CommunicationContext>] = [
        Field("intent", \.intent, .word(), "The intent that was attached."),
        Field("sender", \.sender, .object, "The sender or caller."),
        Field("recipients", \.recipients, .list(.object), "The recipients."),
        Field("groupName", \.groupName, .optional(.text), "speakableGroupName."),
        Field("groupImageDigest", \.groupImageDigest, .optional(.text), "The SHA-256 of the group's image."),
        Field("conversationIdentifier", \.conversationIdentifier, .optional(.text), "The conversation."),
        Field("serviceName", \.serviceName, .optional(.text), "The service that carries the message."),
        Field(
            "recipientCount", \.recipientCount, .optional(.integer(atLeast: 0)), "Overrides the number of recipients."),
        Field("mentionsCurrentUser", \.mentionsCurrentUser, .flag, "Whether it names the device's owner."),
        Field("isReplyToCurrentUser", \.isReplyToCurrentUser, .flag, "Whether it answers the device's owner."),
        Field("notifiesRecipientAnyway", \.notifiesRecipientAnyway, .flag, "Whether the sender notifies anyway."),
        Field("callCapability", \.callCapability, .word(), "The kind of call."),
        Field("isMissedCall", \.isMissedCall, .flag, "Whether it is a missed call."),
    ]

    package var otherRecipients: [Person] { recipients.filter { !$0.isMe && !$0.isSame(as: sender) } }

    /// `recipientCount` overrides the named recipients and counts the device's owner
    /// (Apple, "INSendMessageIntentDonationMetadata"; the counting is an Assumption).
    package var otherRecipientCount: Int { recipientCount.map { max(0, $0 - 1) } ?? otherRecipients.count }

    /// E.2: `groupName` alone does not make a group.
    package var isGroup: Bool { intent == .sendMessage && otherRecipientCount > 0 }

    /// The group's image, else the sender's (E.2).
    package var imageDigest: String? {
        let isShared = isGroup || intent == .startCall && !otherRecipients.isEmpty
        return (isShared ? groupImageDigest : nil) ?? sender.imageDigest
    }
}
