/// Somebody in the Contacts app.
package struct Contact: Sendable, Hashable {
    /// Its identifier on the device.
    package var id = ""
    package var name = ""
    package var emails: [String] = []
    package var phones: [String] = []
    package var isFavorite = false
    /// Whether calls from this contact always ring.
    package var hasEmergencyBypass = false
    /// People of apps whom the person confirmed to be this contact: `person:BUNDLE/ID` (E.3).
    package var people: [String] = []

    package init() {}
}

/// Somebody as an app describes them (`INPerson`).
package struct Person: Sendable, Hashable {
    package var handle: Handle?
    /// The name to show; empty when the app gave none.
    package var displayName = ""
    package var givenName: String?
    package var familyName: String?
    package var contactIdentifier: String?
    package var customIdentifier: String?
    /// Whether it is the person who holds the device.
    package var isMe = false
    package var suggestionType = SuggestionType.none
    package var aliases: [Handle] = []
    /// The image's SHA-256 in hexadecimal digits.
    package var imageDigest: String?

    package init() {}

    /// `INPersonHandle`.
    package struct Handle: Sendable, Hashable {
        package var value: String
        package var type: HandleType

        package init(value: String, type: HandleType) {
            self.value = value
            self.type = type
        }
    }

    /// `INPersonHandleType`.
    package enum HandleType: String, CaseIterable, Sendable {
        case unknown, emailAddress, phoneNumber
    }

    /// `INPersonSuggestionType`.
    package enum SuggestionType: String, CaseIterable, Sendable {
        case none, socialProfile, instantMessageAddress
    }
}
