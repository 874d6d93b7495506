/// The system's guess that a person of an app is somebody in Contacts; it counts when the person confirms it (S0-32).
package struct ContactAssociation: Sendable, Hashable {
    /// `person:BUNDLE/ID`.
    package var person: String
    /// The name that the app shows.
    package var name: String
    /// The contact's identifier.
    package var contact: String
    /// The app's bundle identifier.
    package var app: String

    /// Makes an association.
    package init(person: String, name: String, contact: String, app: String) {
        self.person = person
        self.name = name
        self.contact = contact
        self.app = app
    }
}
