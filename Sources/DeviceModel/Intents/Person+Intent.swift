internal import Fields

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
