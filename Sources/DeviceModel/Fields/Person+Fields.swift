package import Fields

extension Contact: FieldDescribed {
    package static let fields: [Field<Contact>] = [
        Field("id", \.id, .name, "Its identifier on the device."),
        Field("name", \.name, .text, "What the person is called."),
        Field("emails", \.emails, .list(.name), "E-mail addresses."),
        Field("phones", \.phones, .list(.name), "Telephone numbers."),
        Field("isFavorite", \.isFavorite, .flag, "Whether it is one of the favorites."),
        Field("hasEmergencyBypass", \.hasEmergencyBypass, .flag, "Whether calls from this contact always ring."),
        Field(
            "people", \.people, .list(.name),
            "People of apps whom the person confirmed to be this contact: person:BUNDLE/ID."),
    ]

    package static let checks: [FieldCheck<Contact>] = [.filled("contact.id", "id", \.id)]

    package static var blank: Self { Self() }
}

extension Person: FieldDescribed {
    package static let fields: [Field<Person>] = [
        Field("handle", \.handle, .optional(.object), "The address or number the app knows the person by."),
        Field("displayName", \.displayName, .text, "The name to show; empty when the app gave none."),
        Field("givenName", \.givenName, .optional(.text), "The given name."),
        Field("familyName", \.familyName, .optional(.text), "The family name."),
        Field(
            "contactIdentifier", \.contactIdentifier, .optional(.text), "The identifier in the Contacts app."),
        Field("customIdentifier", \.customIdentifier, .optional(.text), "The identifier in the app."),
        Field("isMe", \.isMe, .flag, "Whether it is the person who holds the device."),
        Field("suggestionType", \.suggestionType, .word(), "What kind of address may be suggested."),
        Field("aliases", \.aliases, .list(.object), "Further addresses."),
        Field("imageDigest", \.imageDigest, .optional(.text), "The image's SHA-256 in hexadecimal digits."),
    ]

    package static var blank: Self { Self() }
}

extension Person.Handle: FieldDescribed {
    package static let fields: [Field<Person.Handle>] = [
        Field("value", \.value, .text, "The address or number."),
        Field("type", \.type, .word(), "Which of the two."),
    ]

    package static var blank: Self { Self(value: "", type: .unknown) }
}

extension CommunicationContext: FieldDescribed {
    package static let fields: [Field<CommunicationContext>] = [
        Field("intent", \.intent, .word(), "The intent that was attached."),
        Field("sender", \.sender, .object, "Who it comes from."),
        Field("recipients", \.recipients, .list(.object), "Whom it goes to."),
        Field("groupName", \.groupName, .optional(.text), "speakableGroupName."),
        Field(
            "groupImageDigest", \.groupImageDigest, .optional(.text),
            "The SHA-256 of the group's image in hexadecimal digits."),
        Field("conversationIdentifier", \.conversationIdentifier, .optional(.text), "Which conversation it is."),
        Field("serviceName", \.serviceName, .optional(.text), "The service that carries the message."),
        Field(
            "recipientCount", \.recipientCount, .optional(.integer(atLeast: 0)),
            "How many recipients there are in all; overrides the length of the list."),
        Field("mentionsCurrentUser", \.mentionsCurrentUser, .flag, "Whether it names the person who holds the device."),
        Field("isReplyToCurrentUser", \.isReplyToCurrentUser, .flag, "Whether it answers that person."),
        Field(
            "notifiesRecipientAnyway", \.notifiesRecipientAnyway, .flag, "Whether the sender wants to break through."),
        Field("callCapability", \.callCapability, .word(), "What kind of call it is."),
        Field("isMissedCall", \.isMissedCall, .flag, "Whether it is a call that nobody took."),
    ]

    package static var blank: Self { Self() }
}
