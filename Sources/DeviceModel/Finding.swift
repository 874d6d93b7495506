/// Something about a push that a person should know; it changes no answer by itself.
public struct Finding: Sendable, Hashable, Codable {
    /// How much a finding matters.
    public enum Severity: String, CaseIterable, Codable, Sendable {
        /// Worth knowing.
        case info
        /// Probably not what the sender meant.
        case warning
        /// Something was ignored or discarded.
        case error
    }

    /// The rule's stable name, such as `badge.type`.
    public var id: String
    /// How much it matters.
    public var severity: Severity
    /// A sentence for people.
    public var message: String
    /// Where in the payload, such as `aps.alert.title`; empty for the payload as a whole.
    public var path: String

    /// Makes a finding.
    public init(_ id: String, _ severity: Severity, at path: String, _ message: String) {
        self.id = id
        self.severity = severity
        self.path = path
        self.message = message
    }
}
