internal import APNs
package import Fields
package import JSON

/// Why `updating(from:)` refuses an intent (E.1).
package enum IntentError: Error, Hashable {
    /// UNError 1500: not one of the system's communication intents (S0-34).
    case unsupported(class: String)
    /// UNError 1501: a message without a sender, or a call without contacts; names the missing part.
    case incomplete(String)
    /// UNError 1501.
    case malformed(FieldError)
}

/// Reads intents as a service extension sends them, with their `class` (D.1).
extension CommunicationContext {
    /// - Parameter isLenient: Accepts a message without a sender and a call without contacts (`lenientIntents`).
    package init(
        intent json: JSONValue, at path: FieldPath = FieldPath(), isLenient: Bool = false, store: IntentImage.Storage
    ) throws(IntentError) {
        self.init()
        let members = MemberReader(json, at: path)
        let name = members.required("class", FieldFormat<String>.name) ?? ""
        if let error = members.error { throw .malformed(error) }
        // iOS 18's UNNotificationAttributedMessageContext wraps a message (E.2).
        let isAttributed = name == "UNNotificationAttributedMessageContext"
        let message = isAttributed ? members.object("sendMessageIntent") : members
        guard let kind = isAttributed ? .sendMessage : Intent(rawValue: name) else { throw .unsupported(class: name) }
        intent = kind
        var missing: String?
        if let message {
            switch kind {
            case .sendMessage: missing = read(message: message, store)
            case .startCall: missing = read(call: message, store)
            }
        } else {
            missing = "sendMessageIntent"
        }
        if let error = members.error { throw .malformed(error) }
        if let missing, !isLenient { throw .incomplete("\(name) has no \(missing)") }
    }

    /// - Returns: The missing part.
    private mutating func read(message: MemberReader, _ store: IntentImage.Storage) -> String? {
        let from = message.object("sender").map { Person($0, store: store) }
        sender = from ?? Person()
        recipients = message.objects("recipients").map { Person($0, store: store) }
        groupName = message.spoken("speakableGroupName")
        conversationIdentifier = message.text("conversationIdentifier")
        serviceName = message.text("serviceName")
        if let images = message.object("parameterImages") {
            sender.imageDigest = images.image("sender", store) ?? sender.imageDigest
            groupImageDigest = images.image("speakableGroupName", store)
        }
        if let metadata = message.object("donationMetadata") {
            mentionsCurrentUser = metadata.value("mentionsCurrentUser", .flag) ?? false
            isReplyToCurrentUser = metadata.value("isReplyToCurrentUser", .flag) ?? false
            notifiesRecipientAnyway = metadata.value("notifyRecipientAnyway", .flag) ?? false
            recipientCount = metadata.value("recipientCount", .integer(atLeast: 0))
        }
        return from == nil ? "sender" : nil
    }

    private mutating func read(call: MemberReader, _ store: IntentImage.Storage) -> String? {
        let contacts = call.objects("contacts").map { Person($0, store: store) }
        sender = contacts.first ?? Person()
        recipients = Array(contacts.dropFirst())
        callCapability = call.value("callCapability", .word(CallCapability.self)) ?? .unknown
        let record = call.object("callRecordToCallBack")
        isMissedCall = record?.text("callRecordType") == "missed"
        if let images = call.object("parameterImages") {
            sender.imageDigest = images.image("contacts", store) ?? sender.imageDigest
            groupImageDigest = images.image("callRecordToCallBack", store)
        }
        return contacts.isEmpty ? "contacts" : nil
    }
}

extension MemberReader {
    /// An `INSpeakableString`: `{"spoken":"Team"}`, or just `"Team"`.
    fileprivate func spoken(_ name: String) -> String? {
        if case .object? = self[name] { return object(name)?.text("spoken") }
        return text(name)
    }
}

/// People as intents describe them (D.1): `{"handle":{…},"nameComponents":{…},"displayName":"@Neko",…}`.
extension Person {
    package init(_ json: MemberReader, store: IntentImage.Storage) {
        self.init()
        handle = json.object("handle").flatMap { Handle($0) }
        displayName = json.value("displayName", .text) ?? ""
        if let name = json.object("nameComponents") {
            givenName = name.text("given")
            familyName = name.text("family")
        }
        contactIdentifier = json.text("contactIdentifier")
        customIdentifier = json.text("customIdentifier")
        isMe = json.value("isMe", .flag) ?? false
        suggestionType = json.value("suggestionType", .word(SuggestionType.self)) ?? .none
        aliases = json.objects("aliases").compactMap { Handle($0) }
        imageDigest = json.image("image", store)
    }
}

extension Person.Handle {
    /// - Returns: nil without a value, which `INPersonHandle` allows.
    fileprivate init?(_ json: MemberReader) {
        let type = json.value("type", .word(Person.HandleType.self)) ?? .unknown
        guard let value = json.text("value") else { return nil }
        self.init(value: value, type: type)
    }
}

/// A picture in an intent (`INImage`): `{"kind":"data","value":"<base64>"}`.
package enum IntentImage: Sendable, Hashable {
    case bytes([UInt8])
    /// A `file:///…` URL in the extension's folder; other URLs are not fetched.
    case url(String)
    /// An app resource.
    case named(String)
    case system(String)

    enum Kind: String, CaseIterable, Sendable { case data, url, named, system }

    /// Stores a picture; returns its SHA-256 in hexadecimal digits, or nil when it is not available.
    package typealias Storage = (IntentImage) -> String?
}

extension MemberReader {
    /// The SHA-256 of a picture: the member's own `sha256`, else computed by storing the picture.
    func image(_ name: String, _ store: IntentImage.Storage) -> String? { object(name)?.image(store) }

    func image(_ store: IntentImage.Storage) -> String? {
        if let digest = value("sha256", .digest) { return digest }
        guard let kind = value("kind", .word(IntentImage.Kind.self)), let text = value("value", .text) else {
            return nil
        }
        switch kind {
        case .url: return store(.url(text))
        case .named: return store(.named(text))
        case .system: return store(.system(text))
        case .data:
            let digits = Array(text.utf8.filter { $0 > 0x20 })
            guard let bytes = Base64.decode(digits.span.bytes)?.bytes else {
                report([.wrong(.string(text), at: path.member("value"), accepted: "a picture in base64")])
                return nil
            }
            return store(.bytes(bytes))
        }
    }
}

extension FieldFormat {
    static var digest: FieldFormat<String> {
        text(
            "64 hexadecimal digits", form: TextForm(pattern: "^[0-9a-fA-F]{64}$"),
            read: { text in
                let isDigest = text.utf8.count == 64 && text.allSatisfy { $0.isASCII && $0.isHexDigit }
                return isDigest ? text.lowercased() : nil
            }, write: { $0 })
    }
}
