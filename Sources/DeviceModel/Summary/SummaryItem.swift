/// A notification that waits for the scheduled summary, as far as its place in it goes.
package struct SummaryItem: Sendable, Hashable, Codable {
    /// Its number on the device; newer ones have higher numbers.
    package var sequence: UInt64
    /// The bundle identifier of its app.
    package var app: String
    /// `relevance-score`, 0…1.
    package var relevanceScore = 0.0
    /// Whether it has an image, a sound or a film attached.
    package var hasMedia = false
    /// `thread-id`; empty when absent.
    package var thread = ""

    /// Makes an item.
    package init(sequence: UInt64, app: String, relevanceScore: Double = 0, hasMedia: Bool = false, thread: String = "")
    {
        self.sequence = sequence
        self.app = app
        self.relevanceScore = relevanceScore
        self.hasMedia = hasMedia
        self.thread = thread
    }
}
