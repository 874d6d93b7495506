/// How a journal is kept.
public struct JournalSettings: Sendable, Hashable {
    /// After how many inputs a checkpoint is written; the next start reads no more than these.
    public var checkpointInterval: Int
    /// What is kept behind a checkpoint.
    public var retention: JournalRetention

    /// Settings; an interval below 1 counts as 1.
    public init(
        checkpointInterval: Int = 250_000, retention: JournalRetention = JournalRetention(count: 0, age: 0)
    ) {
        self.checkpointInterval = max(1, checkpointInterval)
        self.retention = retention
    }
}

/// What became of an input.
public enum JournalOutcome: Sendable, Hashable {
    /// It is on disk.
    case written
    /// It could not be written; it has not happened.
    case lost
}

/// A journal in numbers, since the start.
public struct JournalFigures: Sendable, Hashable {
    /// Groups that were written.
    public var commits: UInt64 = 0
    /// Groups that could not be.
    public var failedCommits: UInt64 = 0
    /// Inputs that were written.
    public var inputs: UInt64 = 0
    /// Inputs that were read at the start.
    public var replayed: UInt64 = 0
    public var checkpoints: UInt64 = 0
    public var failedCheckpoints: UInt64 = 0
    /// Inputs that happened and are not on disk yet.
    public var lag: UInt64 = 0
    /// The size on disk.
    public var byteCount: Int64 = 0
    /// Whether nothing can be written at present.
    public var isFailing = false

    init() {}
}
