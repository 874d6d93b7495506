/// Whom of the device's contacts a person of an app is (E.3).
public struct PersonMatch: Sendable, Hashable {
    /// `contact:ID` when matched, else `person:BUNDLE/ID`; what a Focus names.
    public var id: String
    public var contact: Contact?

    /// Looks a person up.
    ///
    /// - Parameter bundleID: the app that describes the person.
    public init(_ person: Person, in contacts: [Contact], bundleID: String) {
        contact = person.contactIdentifier.flatMap { id in contacts.first { $0.id == id } }
        let own = person.customIdentifier ?? person.handle?.value ?? person.displayName
        id = contact.map { "contact:\($0.id)" } ?? "person:\(bundleID)/\(own)"
    }
}
