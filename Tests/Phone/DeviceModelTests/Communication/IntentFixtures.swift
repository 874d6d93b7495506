import DeviceModel
import Testing

/// Intents as extensions write them (D.1).
enum IntentFixtures {
    /// The example of D.1.
    static let seedMessage = #"""
        {"class":"INSendMessageIntent","sender":{"handle":{"value":"Neko@Neko.Neko","type":"emailAddress"},
         "nameComponents":{"given":"NekoNeko"},"displayName":"@Neko","image":{"kind":"data","sha256":"\#(digest)"},
         "contactIdentifier":null,"customIdentifier":"1","isMe":false,"suggestionType":"instantMessageAddress","aliases":[]},
         "recipients":null,"outgoingMessageType":"outgoingMessageText","content":"Hello world! …",
         "speakableGroupName":{"spoken":"@Neko"},"conversationIdentifier":"chat-1","serviceName":null,"attachments":[],
         "donationMetadata":{"mentionsCurrentUser":false,"isReplyToCurrentUser":false,"notifyRecipientAnyway":false,
         "recipientCount":null}}
        """#

    static let digest = String(repeating: "0a", count: 32)

    static let neko = #"{"displayName":"Neko","handle":{"value":"neko@neko.example","type":"emailAddress"}}"#
    static let bob = #"{"displayName":"Bob B","customIdentifier":"bob"}"#

    /// A message from Neko with more members.
    static func message(_ more: String = #""conversationIdentifier":"chat-1""#) -> String {
        #"{"class":"INSendMessageIntent","sender":\#(neko)\#(more.isEmpty ? "" : ",")\#(more)}"#
    }

    /// A call from Neko with more members.
    static func call(_ more: String = "") -> String {
        #"{"class":"INStartCallIntent","contacts":[\#(neko)]\#(more.isEmpty ? "" : ",")\#(more)}"#
    }

    /// Stores pictures under descriptive names.
    static func store(_ image: IntentImage) -> String? {
        switch image {
        case .bytes(let bytes): "bytes:\(String(decoding: bytes, as: UTF8.self))"
        case .url(let address): address.hasPrefix("file:///") ? "file" : nil
        case .named(let name): "named:\(name)"
        case .system: nil
        }
    }

    static func read(_ text: String, isLenient: Bool = false) throws -> CommunicationContext {
        try CommunicationContext(intent: json(text), isLenient: isLenient, store: store)
    }
}
