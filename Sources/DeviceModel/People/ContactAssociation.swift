/// The system's guess that a person of an app is somebody in Contacts; it counts when the person confirms it (S0-32).
public struct ContactAssociation: Sendable, Hashable {
    /// `person:BUNDLE/ID`.
    public var person: String
    /// The name that the app shows.
    public var name: String
    /// The contact's identifier.
    public var contact: String
    /// The app's bundle identifier.
    public var app: String

    /// Makes an association.
    public init(person: String, name: String, contact: String, app: String) {
        self.person = person
        self.name = name
        self.contact = contact
        self.app = app
    }
}
