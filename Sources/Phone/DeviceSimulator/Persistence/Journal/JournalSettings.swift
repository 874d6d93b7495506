/// When a journal writes a checkpoint, and what it keeps before it.
package struct JournalSettings: Sendable, Hashable {
    /// In inputs; a start replays about as many.
    package var checkpointInterval: Int
    /// How many inputs before a checkpoint are retained.
    package var retainedCount: Int
    /// How long they are retained, in milliseconds.
    package var retainedAge: Int64

    package init(checkpointInterval: Int = 250_000, retainedCount: Int = 0, retainedAge: Int64 = 0) {
        self.checkpointInterval = checkpointInterval
        self.retainedCount = retainedCount
        self.retainedAge = retainedAge
    }
}
