/// A delivered notification, as far as its place in the list goes.
package struct InboxItem: Sendable, Hashable {
    /// Its number on the device; newer ones have higher numbers.
    package var sequence: UInt64
    /// The bundle identifier of its app.
    package var app: String
    /// `thread-id`; empty when absent.
    package var thread: String
    /// The `summaryFormat` of its category.
    package var summaryFormat: String?
    /// Whether it is shown as what somebody wrote, or as a call.
    package var isCommunication: Bool

    /// Makes an item.
    package init(
        sequence: UInt64, app: String, thread: String = "", summaryFormat: String? = nil, isCommunication: Bool = false
    ) {
        self.sequence = sequence
        self.app = app
        self.thread = thread
        self.summaryFormat = summaryFormat
        self.isCommunication = isCommunication
    }
}
