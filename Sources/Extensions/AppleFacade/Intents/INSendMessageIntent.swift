package import ExtensionWire
public import Foundation
public import UserNotifications

public enum INOutgoingMessageType: Int, Sendable, CaseIterable {
    case unknown, outgoingMessageText, outgoingMessageAudio
}

open class INFile: NSObject, StoredAsJSON {
    public let data: Data
    open var filename: String
    public let typeIdentifier: String?
    public let fileURL: URL?

    public init(data: Data, filename: String, typeIdentifier: String?) {
        (self.data, self.filename, self.typeIdentifier) = (data, filename, typeIdentifier)
        fileURL = nil
    }

    public init(fileURL: URL, filename: String?, typeIdentifier: String?) {
        data = (try? Data(contentsOf: fileURL)) ?? Data()
        self.filename = filename ?? fileURL.lastPathComponent
        self.typeIdentifier = typeIdentifier
        self.fileURL = fileURL
    }

    package var json: WireValue {
        .object([
            "filename": .string(filename), "type": WireValue(typeIdentifier),
            "url": WireValue(fileURL?.absoluteString), "byteCount": .integer(data.count),
        ])
    }
}

open class INSendMessageAttachment: NSObject, StoredAsJSON {
    public let audioMessageFile: INFile?

    public init(audioMessageFile: INFile) { self.audioMessageFile = audioMessageFile }
}

open class INSendMessageIntentDonationMetadata: INIntentDonationMetadata {
    open var mentionsCurrentUser = false
    open var isReplyToCurrentUser = false
    open var notifyRecipientAnyway = false
    /// Overrides the number of `recipients`; 0 until set.
    open var recipientCount = 0

    package override var json: WireValue {
        var members = storedMembers()
        if recipientCount <= 0 { members["recipientCount"] = .null }
        return .object(members)
    }
}

open class INSendMessageIntent: INIntent {
    public let recipients: [INPerson]?
    public let outgoingMessageType: INOutgoingMessageType
    public let content: String?
    public let speakableGroupName: INSpeakableString?
    public let conversationIdentifier: String?
    public let serviceName: String?
    public let sender: INPerson?
    public let attachments: [INSendMessageAttachment]?

    public init(
        recipients: [INPerson]?, outgoingMessageType: INOutgoingMessageType = .outgoingMessageText, content: String?,
        speakableGroupName: INSpeakableString?, conversationIdentifier: String?, serviceName: String?,
        sender: INPerson?, attachments: [INSendMessageAttachment]? = nil
    ) {
        (self.recipients, self.outgoingMessageType, self.content) = (recipients, outgoingMessageType, content)
        (self.speakableGroupName, self.conversationIdentifier) = (speakableGroupName, conversationIdentifier)
        (self.serviceName, self.sender, self.attachments) = (serviceName, sender, attachments)
    }

    /// Deprecated since iOS 11.
    public convenience init(
        recipients: [INPerson]?, content: String?, groupName: String?, serviceName: String?, sender: INPerson?
    ) {
        self.init(
            recipients: recipients, content: content,
            speakableGroupName: groupName.map { INSpeakableString(spokenPhrase: $0) }, conversationIdentifier: nil,
            serviceName: serviceName, sender: sender)
    }

    override var parameters: [String: WireValue] {
        attachments == nil ? super.parameters.merging(["attachments": .array([])]) { $1 } : super.parameters
    }
}

extension INSendMessageIntent: UNNotificationContentProviding, CommunicationProviding {
    package var hasPeople: Bool { sender != nil }
}

open class INSendMessageIntentResponse: INCodedResponse<INSendMessageIntentResponseCode> {}

public enum INSendMessageIntentResponseCode: Int, Sendable, CaseIterable {
    case unspecified, ready, inProgress, success, failure, failureRequiringAppLaunch
    case failureMessageServiceNotAvailable, failureRequiringInAppAuthentication
}
