/// What notifications have in common that lie in one stack (I.2).
package enum GroupKey: Sendable, Hashable {
    /// Those of an app with the same `thread-id`; without one they are a thread of their own.
    case thread(app: String, identifier: String)
    /// All of an app.
    case app(String)
    /// One alone.
    case single(sequence: UInt64)

    /// The stack that a notification belongs to under the person's setting for its app.
    package init(_ item: InboxItem, grouping: NotificationSettings.Grouping) {
        switch grouping {
        case .automatic: self = .thread(app: item.app, identifier: item.thread)
        case .byApp: self = .app(item.app)
        case .off: self = .single(sequence: item.sequence)
        }
    }
}
