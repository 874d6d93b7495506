package import Fields
package import JSON

/// Intents as an extension hands them over (D.1), made into what a device shows and decides by (E.1, E.2).
extension CommunicationContext {
    /// Reads an intent.
    ///
    /// - Parameters:
    ///   - json: with the `class` of the intent.
    ///   - path: where it stands, for messages.
    ///   - isLenient: whether a message without a sender and a call without contacts pass (`lenientIntents`).
    ///   - keep: is asked about each picture.
    package init(
        intent json: JSONValue, at path: FieldPath = FieldPath(), isLenient: Bool = false, keep: IntentImage.Keeper
    ) throws(IntentError) {
        self.init()
        var problems: [FieldProblem] = []
        guard let members = MemberReader(json, at: path, &problems),
            let name = members.value("class", FieldFormat<String>.name, &problems)
        else {
            if problems.isEmpty {
                problems = [FieldProblem(path.member("class"), "is missing", "accepted: such as INSendMessageIntent")]
            }
            throw .malformed(FieldError(problems: problems))
        }
        // iOS 18's UNNotificationAttributedMessageContext is a message with a text of its own (E.2).
        let isAttributed = name == "UNNotificationAttributedMessageContext"
        let message = isAttributed ? members.object("sendMessageIntent", &problems) : members
        guard let kind = isAttributed ? .sendMessage : Intent(rawValue: name) else { throw .unsupported(class: name) }
        intent = kind
        var missing: String?
        if let message {
            switch kind {
            case .sendMessage: missing = read(message: message, keep, &problems)
            case .startCall: missing = read(call: message, keep, &problems)
            }
        } else {
            missing = "sendMessageIntent"
        }
        guard problems.isEmpty else { throw .malformed(FieldError(problems: problems)) }
        if let missing, !isLenient { throw .incomplete("\(name) has no \(missing)") }
    }

    /// - Returns: what is missing.
    private mutating func read(
        message: MemberReader, _ keep: IntentImage.Keeper, _ problems: inout [FieldProblem]
    ) -> String? {
        let from = message.object("sender", &problems).map { Person($0, keep: keep, &problems) }
        sender = from ?? Person()
        recipients = message.objects("recipients", &problems).map { Person($0, keep: keep, &problems) }
        groupName = message.spoken("speakableGroupName", &problems)
        conversationIdentifier = message.text("conversationIdentifier", &problems)
        serviceName = message.text("serviceName", &problems)
        if let images = message.object("parameterImages", &problems) {
            sender.imageDigest = images.image("sender", keep, &problems) ?? sender.imageDigest
            groupImageDigest = images.image("speakableGroupName", keep, &problems)
        }
        if let metadata = message.object("donationMetadata", &problems) {
            mentionsCurrentUser = metadata.value("mentionsCurrentUser", .flag, &problems) ?? false
            isReplyToCurrentUser = metadata.value("isReplyToCurrentUser", .flag, &problems) ?? false
            notifiesRecipientAnyway = metadata.value("notifyRecipientAnyway", .flag, &problems) ?? false
            recipientCount = metadata.value("recipientCount", .integer(atLeast: 0), &problems)
        }
        return from == nil ? "sender" : nil
    }

    /// - Returns: what is missing.
    private mutating func read(
        call: MemberReader, _ keep: IntentImage.Keeper, _ problems: inout [FieldProblem]
    ) -> String? {
        let contacts = call.objects("contacts", &problems).map { Person($0, keep: keep, &problems) }
        sender = contacts.first ?? Person()
        recipients = Array(contacts.dropFirst())
        callCapability = call.value("callCapability", .word(CallCapability.self), &problems) ?? .unknown
        let record = call.object("callRecordToCallBack", &problems)
        isMissedCall = record?.text("callRecordType", &problems) == "missed"
        if let images = call.object("parameterImages", &problems) {
            sender.imageDigest = images.image("contacts", keep, &problems) ?? sender.imageDigest
            groupImageDigest = images.image("callRecordToCallBack", keep, &problems)
        }
        return contacts.isEmpty ? "contacts" : nil
    }
}

extension MemberReader {
    /// What an `INSpeakableString` says: `{"spoken":"Team"}`, or just `"Team"`.
    fileprivate func spoken(_ name: String, _ problems: inout [FieldProblem]) -> String? {
        if case .object? = self[name] { return object(name, &problems)?.text("spoken", &problems) }
        return text(name, &problems)
    }
}

/// People as intents describe them (D.1): `{"handle":{…},"nameComponents":{…},"displayName":"@Neko",…}`.
extension Person {
    init(_ json: MemberReader, keep: IntentImage.Keeper, _ problems: inout [FieldProblem]) {
        self.init()
        handle = json.object("handle", &problems).flatMap { Handle($0, &problems) }
        displayName = json.value("displayName", .text, &problems) ?? ""
        if let name = json.object("nameComponents", &problems) {
            givenName = name.text("given", &problems)
            familyName = name.text("family", &problems)
        }
        contactIdentifier = json.text("contactIdentifier", &problems)
        customIdentifier = json.text("customIdentifier", &problems)
        isMe = json.value("isMe", .flag, &problems) ?? false
        suggestionType = json.value("suggestionType", .word(SuggestionType.self), &problems) ?? .none
        aliases = json.objects("aliases", &problems).compactMap { Handle($0, &problems) }
        imageDigest = json.image("image", keep, &problems)
    }
}

extension Person.Handle {
    /// - Returns: nil for one without a value, which `INPersonHandle` allows.
    fileprivate init?(_ json: MemberReader, _ problems: inout [FieldProblem]) {
        let type = json.value("type", .word(Person.HandleType.self), &problems) ?? .unknown
        guard let value = json.text("value", &problems) else { return nil }
        self.init(value: value, type: type)
    }
}
