/// Something about a push that a person should know; it changes no answer by itself.
package struct Finding: Sendable, Hashable, Codable {
    /// How much a finding matters.
    package enum Severity: String, CaseIterable, Codable, Sendable {
        /// Worth knowing.
        case info
        /// Probably not what the sender meant.
        case warning
        /// Something was ignored or discarded.
        case error
    }

    /// The rule's stable name, such as `badge.type`.
    package var id: String
    /// How much it matters.
    package var severity: Severity
    /// A sentence for people.
    package var message: String
    /// Where in the payload, such as `aps.alert.title`; empty for the payload as a whole.
    package var path: String
    /// Where the rule comes from, such as `S3-14`; nil when its message says it all.
    package var source: String?
    /// How it looks when it is right, by example.
    package var fix: String?

    package init(
        _ id: String, _ severity: Severity, at path: String, _ message: String, source: String? = nil,
        fix: String? = nil
    ) {
        self.id = id
        self.severity = severity
        self.path = path
        self.message = message
        self.source = source
        self.fix = fix
    }
}
