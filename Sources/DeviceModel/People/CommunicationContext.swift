/// What `updating(from:)` attached to content: who it comes from, and to whom it goes.
public struct CommunicationContext: Sendable, Hashable {
    public var intent = Intent.sendMessage
    /// Who wrote or calls.
    public var sender = Person()
    /// To whom the message goes, or who else is in the call.
    public var recipients: [Person] = []
    /// `speakableGroupName`.
    public var groupName: String?
    /// The SHA-256 of the image that `setImage` gave the group, or the call; in hexadecimal digits.
    public var groupImageDigest: String?
    public var conversationIdentifier: String?
    /// The service that carries the message, where the app has several.
    public var serviceName: String?
    /// `INSendMessageIntentDonationMetadata.recipientCount`; overrides the number of recipients.
    public var recipientCount: Int?
    public var mentionsCurrentUser = false
    public var isReplyToCurrentUser = false
    public var notifiesRecipientAnyway = false
    public var callCapability = CallCapability.unknown
    public var isMissedCall = false

    public init() {}

    /// The system intents that may be attached.
    public enum Intent: String, CaseIterable, Sendable {
        case sendMessage = "INSendMessageIntent"
        case startCall = "INStartCallIntent"
    }

    /// `INCallCapability`.
    public enum CallCapability: String, CaseIterable, Sendable {
        case unknown, audioCall, videoCall
    }
}
