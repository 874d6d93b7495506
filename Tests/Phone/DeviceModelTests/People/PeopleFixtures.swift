import DeviceModel

extension Person {
    static func made(_ edit: (inout Person) -> Void) -> Person {
        var person = Person()
        edit(&person)
        return person
    }

    /// A person with a display name and the app's own identifier.
    static func named(_ name: String, isMe: Bool = false) -> Person {
        made { ($0.displayName, $0.customIdentifier, $0.isMe) = (name, name.lowercased(), isMe) }
    }
}

extension Contact {
    static func made(_ id: String, _ name: String, emails: [String] = [], phones: [String] = []) -> Contact {
        var contact = Contact()
        (contact.id, contact.name, contact.emails, contact.phones) = (id, name, emails, phones)
        return contact
    }
}
