/// Where what was done to a simulator outlasts the process: inputs in their order, and now and then the state they led to.
///
/// Its members may be called from any thread; a checkpoint is written beside batches.
package protocol Journal: Sendable {
    /// What it is called in messages: the path of its file.
    var file: String { get }

    /// Writes batches; when it returns they are on disk, all of them, and when it throws none is.
    func append(_ batches: [JournalBatch]) throws(JournalProblem)

    /// Batches after a position, oldest first; none at the end.
    func batches(after position: UInt64, limit: Int) throws(JournalProblem) -> [JournalBatch]

    /// The parts of the newest checkpoint, from which inputs need not be read; nil when there is none yet.
    func checkpoint() throws(JournalProblem) -> JournalCheckpoint?

    /// Puts a checkpoint in the place of the one before.
    func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem)

    /// Forgets inputs that the checkpoint holds and that are more than somebody wants to look back at.
    func trim(_ retention: JournalRetention, now: Int64) throws(JournalProblem)

    /// Whether there is room to write again.
    func probe() throws(JournalProblem)

    /// How large it is on disk, in bytes.
    func byteCount() -> Int64

    /// Ends it in good order.
    func close()
}

/// The state after an input, in parts that are small enough to be written between two groups of inputs.
package struct JournalCheckpoint: Sendable, Hashable {
    /// The position of the last input that it holds.
    package var position: UInt64
    /// The state, as bytes.
    package var parts: [[UInt8]]

    package init(position: UInt64, parts: [[UInt8]]) {
        self.position = position
        self.parts = parts
    }
}

/// How much of the past a journal keeps behind its checkpoint.
package struct JournalRetention: Sendable, Hashable {
    /// How many inputs.
    package var count: Int
    /// How old they may be, in milliseconds.
    package var age: Int64

    /// A retention; 0 keeps nothing.
    package init(count: Int, age: Int64) {
        self.count = count
        self.age = age
    }
}

/// Why a journal cannot be read or written: the file, what is wrong with it, and what to do.
package struct JournalProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        case full, locked, damaged, removed, unreadable
    }

    /// What kind of problem it is.
    package var kind: Kind
    /// The journal's file.
    package var file: String
    /// What is wrong.
    package var reason: String
    /// What helps.
    package var remedy: String

    /// A problem in words.
    package init(_ kind: Kind, file: String, reason: String, remedy: String) {
        self.kind = kind
        self.file = file
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(file): \(reason). \(remedy)" }
}
