/// Somebody in the Contacts app.
public struct Contact: Sendable, Hashable {
    /// Its identifier on the device.
    public var id = ""
    public var name = ""
    public var emails: [String] = []
    public var phones: [String] = []
    public var isFavorite = false
    /// Whether calls from this contact always ring.
    public var hasEmergencyBypass = false
    /// People of apps whom the person confirmed to be this contact: `person:BUNDLE/ID` (E.3).
    public var people: [String] = []

    public init() {}
}

/// Somebody as an app describes them (`INPerson`).
public struct Person: Sendable, Hashable {
    public var handle: Handle?
    /// The name to show; empty when the app gave none.
    public var displayName = ""
    public var givenName: String?
    public var familyName: String?
    public var contactIdentifier: String?
    public var customIdentifier: String?
    /// Whether it is the person who holds the device.
    public var isMe = false
    public var suggestionType = SuggestionType.none
    public var aliases: [Handle] = []
    /// The image's SHA-256 in hexadecimal digits.
    public var imageDigest: String?

    public init() {}

    /// `INPersonHandle`.
    public struct Handle: Sendable, Hashable {
        public var value: String
        public var type: HandleType

        public init(value: String, type: HandleType) {
            self.value = value
            self.type = type
        }
    }

    /// `INPersonHandleType`.
    public enum HandleType: String, CaseIterable, Sendable {
        case unknown, emailAddress, phoneNumber
    }

    /// `INPersonSuggestionType`.
    public enum SuggestionType: String, CaseIterable, Sendable {
        case none, socialProfile, instantMessageAddress
    }
}
