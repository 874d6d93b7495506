/// Some inputs in a row, as bytes: what a journal writes and reads.
package struct JournalBatch: Sendable, Hashable {
    /// The position of the input before the first one here, in the batch before. Inputs that could not be written leave a gap.
    package var previous: UInt64
    /// The position of the last input here.
    package var last: UInt64
    /// How many inputs there are; the last ones up to `last`.
    package var count: Int
    /// When they were written, in milliseconds since 1970, on the machine's clock.
    package var writtenAt: Int64
    /// The inputs.
    package var bytes: [UInt8]
    /// Of `bytes`, to find damage.
    package var checksum: UInt64

    /// Some inputs that were read.
    package init(previous: UInt64, last: UInt64, count: Int, writtenAt: Int64, bytes: [UInt8], checksum: UInt64) {
        self.previous = previous
        self.last = last
        self.count = count
        self.writtenAt = writtenAt
        self.bytes = bytes
        self.checksum = checksum
    }

    /// Whether the bytes are those that were written.
    package var isWhole: Bool { checksum == Self.checksum(of: bytes) }

    /// FNV-1a over words of eight bytes: not against malice, but against disks.
    package static func checksum(of bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset + 8 <= buffer.count {
                hash =
                    (hash ^ buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian)
                    &* 0x100_0000_01b3
                hash ^= hash >> 29
                offset += 8
            }
            while offset < buffer.count {
                hash = (hash ^ UInt64(buffer[offset])) &* 0x100_0000_01b3
                offset += 1
            }
        }
        return hash
    }
}

extension JournalBatch {
    /// The approximate size at which a batch ends.
    private static let byteCount = 256 << 10

    /// Splits inputs into batches.
    ///
    /// - Parameters:
    ///   - last: the position of the last input.
    ///   - previous: the position of the last input in the batch before.
    static func batches(
        of inputs: [SimulatorInput], last: UInt64, previous: UInt64, writtenAt: Int64
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

    /// The inputs, in order.
    func inputs() throws(RecordDamage) -> [SimulatorInput] {
        guard isWhole else { throw RecordDamage() }
        var reader = RecordReader(bytes)
        var inputs: [SimulatorInput] = []
        inputs.reserveCapacity(count)
        while !reader.isAtEnd { inputs.append(try reader.read()) }
        guard inputs.count == count else { throw RecordDamage() }
        return inputs
    }
}
