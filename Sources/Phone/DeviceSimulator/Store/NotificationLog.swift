internal import APNs
internal import RequestWire

/// A notification in the store, in 24 bytes plus its push; the device's inbox has its state.
struct LogEntry {
    /// nil once removed, as is `registration`.
    var push: Push?
    var registration: RegistrationEntry?
    let sequence: UInt64
}

/// The notifications of all devices by sequence number.
///
/// Chunks hold consecutive entries. A removed entry leaves a gap; a chunk that is half gaps is rewritten and, when its
/// neighbor is small too, joined with it. So there are at most about twice as many slots as entries.
struct NotificationLog {
    private(set) var chunks: [LogChunk] = []
    private(set) var count = 0

    var first: LogEntry? { chunks.first.map { $0.entries[$0.firstLive] } }

    /// - Parameter entry: must have the greatest sequence number.
    mutating func append(_ entry: consuming LogEntry) {
        count += 1
        let last = chunks.count - 1
        if last >= 0, chunks[last].entries.count < LogChunk.capacity {
            chunks[last].append(entry)
        } else {
            chunks.append(LogChunk(entry))
        }
    }

    /// Takes constant time after a search among chunks.
    subscript(sequence: UInt64) -> LogEntry? {
        guard let chunk = chunkIndex(of: sequence), let index = chunks[chunk].index(of: sequence) else { return nil }
        let entry = chunks[chunk].entries[index]
        return entry.push == nil ? nil : entry
    }

    /// Returns the removed push so that the caller can free it outside the lock.
    mutating func remove(_ sequence: UInt64) -> Push? {
        guard
            let chunk = chunkIndex(of: sequence), let index = chunks[chunk].index(of: sequence),
            let push = chunks[chunk].clear(index)
        else { return nil }
        count -= 1
        if chunks[chunk].liveCount == 0 {
            chunks.remove(at: chunk)
        } else if chunk < chunks.count - 1, chunks[chunk].liveCount * 2 < chunks[chunk].entries.count,
            chunk > 0 || chunks[chunk].hasInnerGaps
        {
            chunks[chunk].closeGaps()
            if chunk + 2 < chunks.count { joinWithNext(chunk) }
            if chunk > 0 { joinWithNext(chunk - 1) }
        }
        return push
    }

    private mutating func joinWithNext(_ chunk: Int) {
        guard chunks[chunk].entries.count + chunks[chunk + 1].entries.count <= LogChunk.capacity / 2 else { return }
        let next = chunks.remove(at: chunk + 1)
        chunks[chunk].append(contentsOf: next)
    }

    /// Visits entries after a sequence number, oldest first, until the body returns false.
    func forEach(after sequence: UInt64, _ body: (LogEntry) throws -> Bool) rethrows {
        guard !chunks.isEmpty, sequence < .max else { return }
        let start = chunkIndex(of: sequence + 1) ?? 0
        for chunk in chunks[start...] {
            for index in chunk.lowerBound(of: sequence + 1)..<chunk.entries.count where chunk.entries[index].push != nil
            {
                guard try body(chunk.entries[index]) else { return }
            }
        }
    }

    /// Visits entries before a sequence number, newest first, until the body returns false.
    func forEach(before sequence: UInt64, _ body: (LogEntry) -> Bool) {
        guard sequence > 0, let end = chunkIndex(of: sequence - 1) else { return }
        for chunk in chunks[...end].reversed() {
            for index in (0..<chunk.lowerBound(of: sequence)).reversed() where chunk.entries[index].push != nil {
                guard body(chunk.entries[index]) else { return }
            }
        }
    }

    /// The last chunk that starts at or before a sequence number.
    private func chunkIndex(of sequence: UInt64) -> Int? {
        let next = chunks.indices.partitionPoint { chunks[$0].base <= sequence }
        return next == 0 ? nil : next - 1
    }
}

/// Entries ascending by sequence number; contiguous in a new chunk.
struct LogChunk {
    static let capacity = 1024

    private(set) var entries: ContiguousArray<LogEntry> = []
    private(set) var liveCount = 1
    /// The index of the oldest entry that is not a gap.
    private(set) var firstLive = 0
    private(set) var base: UInt64

    /// Whether a gap follows a live entry. The first chunk, which mostly empties from the front, may retain other gaps.
    var hasInnerGaps: Bool { entries.count - firstLive != liveCount }

    init(_ entry: consuming LogEntry) {
        base = entry.sequence
        entries.reserveCapacity(Self.capacity)
        entries.append(entry)
    }

    mutating func append(_ entry: consuming LogEntry) {
        entries.append(entry)
        liveCount += 1
    }

    mutating func append(contentsOf next: LogChunk) {
        entries.append(contentsOf: next.entries)
        liveCount += next.liveCount
    }

    func index(of sequence: UInt64) -> Int? {
        let guess = sequence &- base
        if guess < UInt64(entries.count), entries[Int(guess)].sequence == sequence { return Int(guess) }
        let index = lowerBound(of: sequence)
        return index < entries.count && entries[index].sequence == sequence ? index : nil
    }

    func lowerBound(of sequence: UInt64) -> Int { entries.indices.partitionPoint { entries[$0].sequence < sequence } }

    /// Turns an entry into a gap and returns its push; nil when it is already a gap.
    mutating func clear(_ index: Int) -> Push? {
        guard let push = entries[index].push.take() else { return nil }
        entries[index].registration = nil
        liveCount -= 1
        while firstLive < entries.count, entries[firstLive].push == nil { firstLive += 1 }
        return push
    }

    /// Rewrites the chunk without gaps in the least memory.
    mutating func closeGaps() {
        var live = ContiguousArray<LogEntry>()
        live.reserveCapacity(liveCount)
        for entry in entries where entry.push != nil { live.append(entry) }
        entries = live
        firstLive = 0
        base = live.first?.sequence ?? base
    }
}
