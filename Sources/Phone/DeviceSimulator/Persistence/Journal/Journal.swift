/// Durable storage of a simulator's inputs, in order, and of checkpoints of its state.
///
/// Handles bytes and positions only. Any thread may call it; a checkpoint is written while batches are appended.
package protocol Journal: Sendable {
    /// The file, or another name for messages.
    var file: String { get }

    /// Writes durably: all batches when it returns, none when it throws.
    func append(_ batches: [JournalBatch]) throws(JournalProblem)

    /// Oldest first; empty at the end.
    func batches(after position: UInt64, limit: Int) throws(JournalProblem) -> [JournalBatch]

    /// nil when there is none yet.
    func checkpoint() throws(JournalProblem) -> JournalCheckpoint?

    func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem)

    /// Deletes batches that the checkpoint covers, except those to retain.
    func trim(_ settings: JournalSettings, now: Int64) throws(JournalProblem)

    /// Checks whether a large batch could be written.
    func probe() throws(JournalProblem)

    func byteCount() -> Int64

    func close()

    /// nil for a journal that only one process can open.
    var ownership: JournalOwnership? { get }
}

extension Journal {
    package var ownership: JournalOwnership? { nil }
}

/// The right of this process to a journal that several processes share.
package struct JournalOwnership: Sendable, Hashable {
    /// Whether this process may answer from its state; false once another may have a newer one.
    package var isHeld: Bool
    /// How many owners the journal has had, this one included.
    package var epoch: Int64
    /// Whether commits wait for a copy on another server.
    package var hasQuorum: Bool

    package init(isHeld: Bool, epoch: Int64, hasQuorum: Bool) {
        (self.isHeld, self.epoch, self.hasQuorum) = (isHeld, epoch, hasQuorum)
    }
}

/// The state after an input, in parts small enough to write between two groups of inputs.
package struct JournalCheckpoint: Sendable, Hashable {
    package var position: UInt64
    package var parts: [[UInt8]]

    package init(position: UInt64, parts: [[UInt8]]) {
        self.position = position
        self.parts = parts
    }
}

/// Why a journal cannot be read or written.
package struct JournalProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var reason: String
    package var remedy: String

    package init(file: String, reason: String, remedy: String) {
        self.file = file
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(file): \(reason). \(remedy)" }
}

/// Consecutive inputs as bytes, the unit of reading and writing.
package struct JournalBatch: Sendable, Hashable {
    /// The last position of the previous batch. Inputs that could not be written leave a gap after it.
    package var previous: UInt64
    package var last: UInt64
    package var count: Int
    /// In milliseconds since 1970, on the machine's clock.
    package var writtenAt: Int64
    package var bytes: [UInt8]
    package var checksum: UInt64

    package init(previous: UInt64, last: UInt64, count: Int, writtenAt: Int64, bytes: [UInt8], checksum: UInt64) {
        self.previous = previous
        self.last = last
        self.count = count
        self.writtenAt = writtenAt
        self.bytes = bytes
        self.checksum = checksum
    }

    /// FNV-1a over words of eight bytes; detects damage, not tampering.
    package static func checksum(of bytes: [UInt8]) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01b3
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
        bytes.withUnsafeBytes { buffer in
            let end = buffer.count - buffer.count % 8
            for offset in stride(from: 0, to: end, by: 8) {
                let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
                hash = (hash ^ word) &* prime
                hash ^= hash >> 29
            }
            for byte in buffer[end...] { hash = (hash ^ UInt64(byte)) &* prime }
        }
        return hash
    }

    /// The approximate size at which a batch ends.
    private static let byteCount = 256 << 10

    static func batches(
        of inputs: [JournalRecord], last: UInt64, previous: UInt64, writtenAt: Int64
    ) -> [JournalBatch] {
        var batches: [JournalBatch] = []
        var record = RecordWriter()
        record.bytes.reserveCapacity(min(inputs.count * 512, byteCount + 8192))
        var (position, former, count) = (last - UInt64(inputs.count), previous, 0)
        func finish() {
            batches.append(
                JournalBatch(
                    previous: former, last: position, count: count, writtenAt: writtenAt, bytes: record.bytes,
                    checksum: checksum(of: record.bytes)))
            record.bytes.removeAll(keepingCapacity: true)
            (former, count) = (position, 0)
        }
        for input in inputs {
            input.write(to: &record)
            position += 1
            count += 1
            if record.bytes.count >= byteCount { finish() }
        }
        if count > 0 { finish() }
        return batches
    }

    func inputs() throws(RecordDamage) -> [JournalRecord] {
        guard checksum == Self.checksum(of: bytes) else { throw RecordDamage() }
        var reader = RecordReader(bytes)
        var inputs: [JournalRecord] = []
        inputs.reserveCapacity(count)
        while !reader.isAtEnd { inputs.append(try reader.read()) }
        guard inputs.count == count else { throw RecordDamage() }
        return inputs
    }
}

package enum JournalOutcome: Sendable, Hashable {
    case written
    /// The input could not be written and was rolled back.
    case lost
}

/// Metrics since the start.
package struct JournalFigures: Sendable, Hashable {
    package var commits: UInt64 = 0
    package var failedCommits: UInt64 = 0
    package var inputs: UInt64 = 0
    /// Inputs replayed at the start.
    package var replayed: UInt64 = 0
    package var checkpoints: UInt64 = 0
    package var failedCheckpoints: UInt64 = 0
    /// Inputs applied but not yet on disk.
    package var lag: UInt64 = 0
    package var byteCount: Int64 = 0
    package var isFailing = false
    package var ownership: JournalOwnership?
}
