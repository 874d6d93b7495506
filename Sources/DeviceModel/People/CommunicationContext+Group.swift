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
