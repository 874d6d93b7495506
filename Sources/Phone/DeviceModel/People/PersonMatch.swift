/// The contact that an app's person corresponds to (E.3).
package struct PersonMatch: Sendable, Hashable {
    /// `contact:ID` when matched, else `person:BUNDLE/ID`; a Focus refers to people by it.
    package var id: String
    package var contact: Contact?
    /// The device's suggestion when only the name matches.
    package var suggestion: ContactAssociation?

    /// Matches the contact that the app names, else the first with one of the person's handles, else the confirmed one.
    package init(_ person: Person, in device: DeviceConditions, bundleID: String) {
        let contacts = device.contacts
        let own = "person:\(bundleID)/\(person.ownIdentifier)"
        contact =
            contacts.first { $0.id == person.contactIdentifier }
            ?? Self.contact(withHandleOf: person, in: contacts, region: PhoneNumber.region(ofLocale: device.locale))
            ?? contacts.first { $0.people.contains(own) }
        id = contact.map { "contact:\($0.id)" } ?? own
        guard contact == nil else { return }
        suggestion = Self.namesake(of: person, in: contacts).map {
            ContactAssociation(person: own, name: person.shownName, contact: $0.id, app: bundleID)
        }
    }

    private static func contact(withHandleOf person: Person, in contacts: [Contact], region: String) -> Contact? {
        for handle in [person.handle].compactMap(\.self) + person.aliases where !handle.value.isEmpty {
            if let contact = contacts.first(where: { $0.has(handle, region: region) }) { return contact }
        }
        return nil
    }

    private static func namesake(of person: Person, in contacts: [Contact]) -> Contact? {
        guard person.suggestionType != .none, !person.isMe else { return nil }
        let name = person.fullName ?? person.displayName
        let namesakes = contacts.filter { !name.isEmpty && $0.name == name }
        return namesakes.count == 1 ? namesakes[0] : nil
    }

    /// Explains in a trace why contacts with the person's name do not match (E.3); nil when there are none.
    static func namesakeNote(for person: Person, in contacts: [Contact]) -> String? {
        let names = [person.fullName ?? "", person.displayName].filter { !$0.isEmpty }.map { $0.lowercased() }
        let namesakes = contacts.filter { names.contains($0.name.lowercased()) }
        guard let contact = namesakes.first else { return nil }
        guard namesakes.count == 1 else {
            return "\(namesakes.map { "contact:\($0.id)" }.joined(separator: ", ")) have the same name, "
                + "so the name suggests none of them"
        }
        return "contact:\(contact.id) has the same name, but \(handleNote(person)), and \(nameNote(person, contact))"
    }

    private static func handleNote(_ person: Person) -> String {
        guard let handle = person.handle, !handle.value.isEmpty else { return "the app gave no address or number" }
        return switch handle.type {
        case .unknown: "a handle of type unknown never matches"
        case .emailAddress: "\(handle.value) is not one of its e-mail addresses"
        case .phoneNumber: "\(handle.value) is not one of its telephone numbers"
        }
    }

    private static func nameNote(_ person: Person, _ contact: Contact) -> String {
        if person.suggestionType == .none { return "a name alone suggests no contact without a suggestionType" }
        guard (person.fullName ?? person.displayName) == contact.name else {
            return "only an identical full name suggests it"
        }
        return "the suggestion is not confirmed"
    }
}

extension Contact {
    /// A handle of unknown type never matches (E.3).
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

/// The system's guess that a person of an app is a contact; applies once the device's owner confirms it (S0-32).
package struct ContactAssociation: Sendable, Hashable, Codable {
    package var person: String
    package var name: String
    package var contact: String
    package var app: String
}
