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
