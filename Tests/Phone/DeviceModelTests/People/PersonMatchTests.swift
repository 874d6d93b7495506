import TestSupport
import Testing

@testable import DeviceModel

@Suite("S0-32 E.3 an app's people are matched with contacts") struct PersonMatchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var id: String
        /// The suggested contact.
        var suggestion: String?
        var edit: @Sendable (inout Person) -> Void
        var testDescription: String { what }

        init(
            _ what: String, _ id: String, suggestion: String? = nil, _ edit: @escaping @Sendable (inout Person) -> Void
        ) { (self.what, self.id, self.suggestion, self.edit) = (what, id, suggestion, edit) }
    }

    static let contacts: [Contact] = [
        .made("C1", "Neko Neko", emails: ["neko@example.com"], phones: ["(415) 555-0100"]),
        .made("C2", "山田太郎", emails: [], phones: ["090-1234-5678"]),
        .made("C3", "Alex Doe"), .made("C4", "Alex Doe"), .made("C5", "Sam Roe", emails: ["", "SHARED@example.com"]),
        .made("C6", "Kim Lee", emails: ["shared@example.com"]),
    ]

    static let rows = [
        Row("the contact named by the app", "contact:C2") { $0.contactIdentifier = "C2" },
        Row("the contact named by the app, rather than the address", "contact:C2") {
            $0.contactIdentifier = "C2"
            $0.handle = .email("neko@example.com")
        },
        Row("an unknown contact, but a known address", "contact:C1") {
            $0.contactIdentifier = "C99"
            $0.handle = .email("neko@example.com")
        },
        Row("an address in other letters", "contact:C1") { $0.handle = .email("Neko@Example.COM") },
        Row("a shared address is the first contact's", "contact:C5") { $0.handle = .email("shared@example.com") },
        Row("an address that the app calls a guess", "contact:C1") {
            $0.handle = .email("neko@example.com")
            $0.suggestionType = .instantMessageAddress
        },
        Row("an address of unknown type", "person:com.example.chat/neko@example.com") {
            $0.handle = .init(value: "neko@example.com", type: .unknown)
        },
        Row("an address given as a telephone number", "person:com.example.chat/neko@example.com") {
            $0.handle = .phone("neko@example.com")
        },
        Row("an empty address", "person:com.example.chat/") { $0.handle = .email("") },
        Row("a number with country code", "contact:C1") { $0.handle = .phone("+1 415 555 0100") },
        Row("a number without country code", "contact:C1") { $0.handle = .phone("4155550100") },
        Row("another number", "person:com.example.chat/4155550101") { $0.handle = .phone("4155550101") },
        Row("an alias", "contact:C1") {
            $0.handle = .email("other@example.com")
            $0.aliases = [.init(value: "neko", type: .unknown), .phone("1-415-555-0100")]
        },
        Row("the handle rather than an alias", "contact:C1") {
            $0.handle = .email("neko@example.com")
            $0.aliases = [.email("shared@example.com")]
        },
        Row("a name is a suggestion", "person:com.example.chat/u1", suggestion: "C1") {
            ($0.displayName, $0.customIdentifier, $0.suggestionType) = ("Neko Neko", "u1", .socialProfile)
        },
        Row("the full name rather than the nickname", "person:com.example.chat/u1", suggestion: "C1") {
            ($0.displayName, $0.givenName, $0.familyName) = ("@Neko", "Neko", "Neko")
            ($0.customIdentifier, $0.suggestionType) = ("u1", .instantMessageAddress)
        },
        Row("a Japanese name, the family's first", "person:com.example.chat/u1", suggestion: "C2") {
            ($0.givenName, $0.familyName) = ("太郎", "山田")
            ($0.customIdentifier, $0.suggestionType) = ("u1", .socialProfile)
        },
        Row("a name without wish for suggestions", "person:com.example.chat/u1") {
            ($0.displayName, $0.customIdentifier) = ("Neko Neko", "u1")
        },
        Row("a name that two contacts have", "person:com.example.chat/u1") {
            ($0.displayName, $0.customIdentifier, $0.suggestionType) = ("Alex Doe", "u1", .socialProfile)
        },
        Row("a name in other letters", "person:com.example.chat/u1") {
            ($0.displayName, $0.customIdentifier, $0.suggestionType) = ("neko neko", "u1", .socialProfile)
        },
        Row("the device's owner matches no contact", "person:com.example.chat/u1") {
            ($0.displayName, $0.customIdentifier, $0.suggestionType) = ("Neko Neko", "u1", .socialProfile)
            $0.isMe = true
        },
        Row("nothing known but a name", "person:com.example.chat/Stranger") { $0.displayName = "Stranger" },
        Row("an empty identifier of the app's does not count", "person:com.example.chat/Stranger") {
            ($0.displayName, $0.customIdentifier) = ("Stranger", "")
        },
    ]

    @Test("E.3 matches by contact, then handle, then alias; a name alone only suggests", arguments: rows)
    func matches(_ row: Row) {
        let person = Person.with(row.edit)
        let match = PersonMatch(person, in: Self.contacts, bundleID: "com.example.chat")
        #expect(match.id == row.id)
        #expect(match.contact.map { "contact:\($0.id)" } == (row.id.hasPrefix("contact:") ? row.id : nil))
        #expect(match.suggestion?.contact == row.suggestion)
        if let suggestion = match.suggestion {
            #expect(suggestion.person == row.id)
            #expect(suggestion.app == "com.example.chat")
            #expect(suggestion.name == person.shownName)
        }
    }

    @Test("S0-32 a suggestion matches once the person confirms it") func confirmed() {
        let person = Person.with {
            ($0.displayName, $0.customIdentifier, $0.suggestionType) = ("Neko Neko", "u1", .socialProfile)
        }
        var contacts = Self.contacts
        contacts[0].people = ["person:com.example.chat/u1"]
        let match = PersonMatch(person, in: contacts, bundleID: "com.example.chat")
        #expect(match.id == "contact:C1")
        #expect(match.contact?.id == "C1")
        #expect(match.suggestion == nil)
        #expect(PersonMatch(person, in: contacts, bundleID: "com.example.mail").contact == nil, "another app's u1")
        let deleted = PersonMatch(person, in: Array(contacts.dropFirst()), bundleID: "com.example.chat")
        #expect(deleted.id == "person:com.example.chat/u1", "the contact is gone")
        #expect(deleted.contact == nil)
    }

    typealias Note = (note: String?, edit: @Sendable (inout Person) -> Void)

    private static func note(_ text: String?, _ edit: @escaping @Sendable (inout Person) -> Void) -> Note {
        (text, edit)
    }

    static let notes: [Note] = [
        (nil, { $0.displayName = "Stranger" }),
        (
            "contact:C1 has the same name, but the app gave no address or number, "
                + "and a name alone suggests no contact without a suggestionType",
            { $0.displayName = "Neko Neko" }
        ),
        (
            "contact:C1 has the same name, but other@example.com is not one of its e-mail addresses, "
                + "and the suggestion is not confirmed",
            {
                ($0.displayName, $0.suggestionType) = ("Neko Neko", .socialProfile)
                $0.handle = .email("other@example.com")
            }
        ),
        (
            "contact:C2 has the same name, but 1 is not one of its telephone numbers, and the suggestion is not confirmed",
            {
                ($0.givenName, $0.familyName, $0.suggestionType) = ("太郎", "山田", .socialProfile)
                $0.handle = .phone("1")
            }
        ),
        (
            "contact:C1 has the same name, but a handle of type unknown never matches, "
                + "and only an identical full name suggests it",
            {
                ($0.displayName, $0.suggestionType) = ("neko neko", .socialProfile)
                $0.handle = .init(value: "neko@example.com", type: .unknown)
            }
        ),
        (
            "contact:C3, contact:C4 have the same name, so the name suggests none of them",
            { ($0.displayName, $0.suggestionType) = ("Alex Doe", .socialProfile) }
        ),
    ]

    @Test("E.3 why a contact of the same name is a different person", arguments: notes.indices)
    func explainsNamesakes(_ index: Int) {
        let person = Person.with(Self.notes[index].edit)
        #expect(PersonMatch.namesakeNote(for: person, in: Self.contacts) == Self.notes[index].note)
    }

    @Test("an empty identifier or handle identifies nobody") func emptyIdentifiers() {
        func person(_ name: String, _ custom: String? = nil, _ handle: String? = nil) -> Person {
            Person.with {
                ($0.displayName, $0.customIdentifier, $0.contactIdentifier) = (name, custom, custom)
                $0.handle = handle.map { .init(value: $0, type: .unknown) }
            }
        }
        #expect(!person("Ann", "", "").isSame(as: person("Ben", "", "")))
        #expect(person("Ann", "", "a").isSame(as: person("Ben", "", "A")))
        #expect(person("Ann", "", "").isSame(as: person("Ann", "a", "a")))
        #expect(person("Ann", "", "").ownIdentifier == "Ann")
    }

    @Test("E.3 a number without country code belongs to the device's region") func region() {
        let person = Person.with { $0.handle = .phone("+81 90 1234 5678") }
        #expect(PersonMatch(person, in: Self.contacts, bundleID: "a", region: "JP").contact?.id == "C2")
        #expect(PersonMatch(person, in: Self.contacts, bundleID: "a").contact == nil)
    }
}

extension Person.Handle {
    fileprivate static func email(_ value: String) -> Self { .init(value: value, type: .emailAddress) }
    fileprivate static func phone(_ value: String) -> Self { .init(value: value, type: .phoneNumber) }
}

extension PersonMatch {
    fileprivate init(_ person: Person, in contacts: [Contact], bundleID: String, region: String = "US") {
        self.init(person, in: .with { ($0.contacts, $0.locale) = (contacts, "en_\(region)") }, bundleID: bundleID)
    }
}
