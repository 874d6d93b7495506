/// Whom of the device's contacts a person of an app is (E.3).
package struct PersonMatch: Sendable, Hashable {
    /// `contact:ID` when matched, else `person:BUNDLE/ID`; what a Focus names.
    package var id: String
    package var contact: Contact?
    /// How sure the match is; nil when there is none.
    package var confidence: Confidence?
    /// What the device asks the person about, since a name alone is no match.
    package var suggestion: ContactAssociation?

    /// Why a person is taken for a contact.
    package enum Confidence: String, CaseIterable, Sendable {
        /// The app named the contact.
        case direct
        /// A telephone number or e-mail address is the contact's.
        case handle
        /// The same, of a handle that the app itself calls a guess (`suggestionType`).
        case suggested
        /// The person confirmed a suggested association (`Contact.people`).
        case confirmed
    }

    /// Looks a person up; of several contacts that match, the first in the list counts.
    ///
    /// - Parameters:
    ///   - bundleID: the app that describes the person.
    ///   - region: where telephone numbers without country code belong, as ISO 3166-1 code.
    package init(_ person: Person, in contacts: [Contact], bundleID: String, region: String = "US") {
        let own = "person:\(bundleID)/\(person.ownIdentifier)"
        let found: (contact: Contact?, confidence: Confidence)
        if let contact = person.contactIdentifier.flatMap(contacts.first(withID:)) {
            found = (contact, .direct)
        } else if let contact = Self.contact(withHandleOf: person, in: contacts, region: region) {
            found = (contact, person.suggestionType == .none ? .handle : .suggested)
        } else {
            found = (contacts.first { $0.people.contains(own) }, .confirmed)
        }
        if let contact = found.contact {
            (id, self.contact, confidence) = ("contact:\(contact.id)", contact, found.confidence)
        } else {
            id = own
            suggestion = Self.namesake(of: person, in: contacts).map {
                ContactAssociation(person: own, name: person.shownName, contact: $0.id, app: bundleID)
            }
        }
    }

    /// Looks a person up among the contacts of a device, in whose region national numbers are.
    package init(_ person: Person, in device: DeviceConditions, bundleID: String) {
        self.init(
            person, in: device.contacts, bundleID: bundleID, region: PhoneNumber.region(ofLocale: device.locale))
    }

    private static func contact(withHandleOf person: Person, in contacts: [Contact], region: String) -> Contact? {
        for handle in [person.handle].compactMap(\.self) + person.aliases where !handle.value.isEmpty {
            if let contact = contacts.first(where: { $0.has(handle, region: region) }) { return contact }
        }
        return nil
    }

    /// The only contact of exactly the person's name, where the app asks for such guesses.
    private static func namesake(of person: Person, in contacts: [Contact]) -> Contact? {
        guard person.suggestionType != .none, !person.isMe else { return nil }
        let name = person.fullName ?? person.displayName
        let namesakes = contacts.filter { !name.isEmpty && $0.name == name }
        return namesakes.count == 1 ? namesakes[0] : nil
    }
}

extension [Contact] {
    fileprivate func first(withID id: String) -> Contact? { first { $0.id == id } }
}

extension PersonMatch {
    /// Why contacts of a person's name are not taken for the person (E.3), for a trace; nil when nobody has the name.
    static func namesakeNote(for person: Person, in contacts: [Contact]) -> String? {
        let names = [person.fullName ?? "", person.displayName].filter { !$0.isEmpty }.map { $0.lowercased() }
        let namesakes = contacts.filter { names.contains($0.name.lowercased()) }
        guard let contact = namesakes.first else { return nil }
        guard namesakes.count == 1 else {
            return "\(namesakes.map { "contact:\($0.id)" }.joined(separator: ", ")) have the same name, "
                + "so a name suggests none of them"
        }
        return "contact:\(contact.id) has the same name, but \(handleNote(person)), and \(nameNote(person, contact))"
    }

    private static func handleNote(_ person: Person) -> String {
        guard let handle = person.handle, !handle.value.isEmpty else { return "the app gave no address or number" }
        return switch handle.type {
        case .unknown: "a handle of type unknown never matches"
        case .emailAddress: "\(handle.value) is none of its e-mail addresses"
        case .phoneNumber: "\(handle.value) is none of its telephone numbers"
        }
    }

    private static func nameNote(_ person: Person, _ contact: Contact) -> String {
        if person.suggestionType == .none { return "without a suggestionType a name suggests nobody" }
        guard (person.fullName ?? person.displayName) == contact.name else {
            return "only exactly the same full name suggests it"
        }
        return "nobody confirmed the suggestion"
    }
}

extension Contact {
    /// Whether a handle is one of the contact's; one of unknown type never is (E.3).
    func has(_ handle: Person.Handle, region: String) -> Bool {
        switch handle.type {
        case .unknown: return false
        case .emailAddress:
            let address = handle.value.lowercased()
            return emails.contains { $0.lowercased() == address }
        case .phoneNumber:
            guard let number = PhoneNumber(handle.value, region: region) else { return false }
            return phones.contains { PhoneNumber($0, region: region) == number }
        }
    }
}

/// The system's guess that a person of an app is somebody in Contacts; it counts when the person confirms it (S0-32).
package struct ContactAssociation: Sendable, Hashable {
    /// `person:BUNDLE/ID`.
    package var person: String
    /// The name that the app shows.
    package var name: String
    package var contact: String
    /// The app's bundle identifier.
    package var app: String

    package init(person: String, name: String, contact: String, app: String) {
        self.person = person
        self.name = name
        self.contact = contact
        self.app = app
    }
}
