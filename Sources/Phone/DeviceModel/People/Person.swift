package import Fields
internal import JSON

/// An entry of the Contacts app.
package struct Contact: FieldDescribed, Hashable {
    package var id = ""
    package var name = ""
    package var emails: [String] = []
    package var phones: [String] = []
    package var isFavorite = false
    package var hasEmergencyBypass = false
    package var people: [String] = []

    package init() {}

    package static let fields: [Field<Contact>] = [
        Field("id", \.id, .name, "Its identifier on the device.").required,
        Field("name", \.name, .text, "The person's name."),
        Field("emails", \.emails, .list(.name), "E-mail addresses."),
        Field("phones", \.phones, .list(.name), "Telephone numbers."),
        Field("isFavorite", \.isFavorite, .flag, "Whether it is a favorite."),
        Field("hasEmergencyBypass", \.hasEmergencyBypass, .flag, "Whether calls from this contact always ring."),
        Field("people", \.people, .list(.name), "Confirmed people of apps: person:BUNDLE/ID."),
    ]
}

/// A person as an app describes them (`INPerson`).
package struct Person: FieldDescribed, Hashable {
    package var handle: Handle?
    package var displayName = ""
    package var givenName: String?
    package var familyName: String?
    package var contactIdentifier: String?
    package var customIdentifier: String?
    package var isMe = false
    package var suggestionType = SuggestionType.none
    package var aliases: [Handle] = []
    package var imageDigest: String?

    package init() {}

    /// `INPersonHandle`.
    package struct Handle: Sendable, Hashable {
        package var value: String
        package var type: HandleType
    }

    /// `INPersonHandleType`.
    package enum HandleType: String, CaseIterable, Sendable { case unknown, emailAddress, phoneNumber }

    /// `INPersonSuggestionType`.
    package enum SuggestionType: String, CaseIterable, Sendable { case none, socialProfile, instantMessageAddress }

    package static let fields: [Field<Person>] = [
        Field("handle", \.handle, .optional(.object), "The address or number."),
        Field("displayName", \.displayName, .text, "The name to show; may be empty."),
        Field("givenName", \.givenName, .optional(.text), "The given name."),
        Field("familyName", \.familyName, .optional(.text), "The family name."),
        Field("contactIdentifier", \.contactIdentifier, .optional(.text), "The identifier in the Contacts app."),
        Field("customIdentifier", \.customIdentifier, .optional(.text), "The identifier in the app."),
        Field("isMe", \.isMe, .flag, "Whether it is the device's owner."),
        Field("suggestionType", \.suggestionType, .word(), "The kind of address that may be suggested."),
        Field("aliases", \.aliases, .list(.object), "Further addresses."),
        Field("imageDigest", \.imageDigest, .optional(.text), "The image's SHA-256."),
    ]

    /// The family name comes first in Chinese, Japanese and Korean.
    package var fullName: String? {
        let given = givenName ?? ""
        let family = familyName ?? ""
        guard !given.isEmpty, !family.isEmpty else { return given.isEmpty ? (family.isEmpty ? nil : family) : given }
        return (given + family).unicodeScalars.allSatisfy(\.isEastAsian) ? family + given : "\(given) \(family)"
    }

    package var shownName: String { displayName.isEmpty ? fullName ?? handle?.value ?? "" : displayName }

    package var firstName: String {
        if let givenName, !givenName.isEmpty { return givenName }
        return shownName.split(separator: " ").first.map(String.init) ?? ""
    }

    /// Shown without an image; empty without a name.
    package var monogram: String {
        let parts = [givenName, familyName].compactMap { $0 }.filter { !$0.isEmpty }
        if let fullName, fullName.unicodeScalars.allSatisfy(\.isEastAsian) { return String(fullName.prefix(1)) }
        let words = parts.isEmpty ? shownName.split(separator: " ").prefix(2).map(String.init) : parts
        return words.compactMap { word in word.first(where: \.isLetter) ?? word.first }.map { $0.uppercased() }.joined()
    }

    /// Unique among the people of an app.
    var ownIdentifier: String {
        customIdentifier?.ifAny ?? handle?.value.ifAny ?? shownName
    }

    /// Both descriptions must be by the same app. Empty identifiers are ignored.
    func isSame(as other: Person) -> Bool {
        if let own = customIdentifier?.ifAny, let others = other.customIdentifier?.ifAny { return own == others }
        if let own = contactIdentifier?.ifAny, let others = other.contactIdentifier?.ifAny { return own == others }
        if let own = handle?.value.ifAny, let others = other.handle?.value.ifAny {
            return own.lowercased() == others.lowercased()
        }
        return !shownName.isEmpty && shownName == other.shownName
    }
}

extension Unicode.Scalar {
    /// Ideographs, kana and hangul.
    fileprivate var isEastAsian: Bool {
        switch value {
        case 0x3005...0x3007, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF,
            0x20000...0x3FFFF:
            true
        default: false
        }
    }
}

extension Person.Handle: FieldDescribed {
    package static let fields: [Field<Person.Handle>] = [
        Field("value", \.value, .text, "The address or number."),
        Field("type", \.type, .word(), "Its kind."),
    ]

    package init() { self.init(value: "", type: .unknown) }
}
