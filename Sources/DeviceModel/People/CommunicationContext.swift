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
