import DeviceModel
import TestSupport

extension Person {
    /// A person with a display name and the app's own identifier.
    static func named(_ name: String, isMe: Bool = false) -> Person {
        with { ($0.displayName, $0.customIdentifier, $0.isMe) = (name, name.lowercased(), isMe) }
    }
}

extension Contact {
    static func made(_ id: String, _ name: String, emails: [String] = [], phones: [String] = []) -> Contact {
        .with { ($0.id, $0.name, $0.emails, $0.phones) = (id, name, emails, phones) }
    }
}
