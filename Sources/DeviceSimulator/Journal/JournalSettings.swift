/// How a journal is kept.
package struct JournalSettings: Sendable, Hashable {
    /// After how many inputs a checkpoint is written; the next start reads no more than these.
    package var checkpointInterval: Int
    /// What is kept behind a checkpoint.
    package var retention: JournalRetention

    /// Settings; an interval below 1 counts as 1.
    package init(
        checkpointInterval: Int = 250_000, retention: JournalRetention = JournalRetention(count: 0, age: 0)
    ) {
        self.checkpointInterval = max(1, checkpointInterval)
        self.retention = retention
    }
}

/// What became of an input.
package enum JournalOutcome: Sendable, Hashable {
    /// It is on disk.
    case written
    /// It could not be written; it has not happened.
    case lost
}

/// A journal in numbers, since the start.
package struct JournalFigures: Sendable, Hashable {
    /// Groups that were written.
    package var commits: UInt64 = 0
    /// Groups that could not be.
    package var failedCommits: UInt64 = 0
    /// Inputs that were written.
    package var inputs: UInt64 = 0
    /// Inputs that were read at the start.
    package var replayed: UInt64 = 0
    package var checkpoints: UInt64 = 0
    package var failedCheckpoints: UInt64 = 0
    /// Inputs that happened and are not on disk yet.
    package var lag: UInt64 = 0
    /// The size on disk.
    package var byteCount: Int64 = 0
    /// Whether nothing can be written at present.
    package var isFailing = false

    init() {}
}
