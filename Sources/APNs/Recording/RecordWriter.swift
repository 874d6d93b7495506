/// Writes values as bytes that outlast the process: whole numbers with the low byte first, texts and bytes after their length.
package struct RecordWriter {
    /// What has been written.
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func put<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func put(_ isSet: Bool) { bytes.append(isSet ? 1 : 0) }

    package mutating func put(_ instant: Instant) { put(instant.milliseconds) }

    package mutating func put(_ text: String) { put(bytes: Array(text.utf8)) }

    package mutating func put(bytes value: some Collection<UInt8>) {
        put(UInt32(value.count))
        bytes.append(contentsOf: value)
    }

    /// Writes bytes that lie in two places as one string.
    package mutating func put(bytes first: [UInt8], _ second: [UInt8]) {
        put(UInt32(first.count + second.count))
        bytes += first
        bytes += second
    }

    package mutating func put(_ token: DeviceToken) { put(bytes: token.bytes) }

    package mutating func put(_ id: APNsID) {
        put(id.high)
        put(id.low)
    }

    /// Writes a value, or that there is none.
    package mutating func put<Value>(_ value: Value?, _ write: (inout RecordWriter, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    /// Writes a part whose length is known only afterwards, with its length before it.
    package mutating func putPart(_ write: (inout RecordWriter) -> Void) {
        let start = bytes.count
        put(UInt32(0))
        write(&self)
        let count = UInt32(bytes.count - start - 4)
        withUnsafeBytes(of: count.littleEndian) { source in
            for index in 0..<4 { bytes[start + index] = source[index] }
        }
    }
}

/// What was read is not what was written.
package struct RecordDamage: Error {
    package init() {}
}

/// Reads what a `RecordWriter` wrote.
package struct RecordReader {
    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Whether nothing is left.
    package var isAtEnd: Bool { offset == end }

    private mutating func take(_ count: Int) throws(RecordDamage) -> Range<Int> {
        guard count >= 0, count <= end - offset else { throw RecordDamage() }
        defer { offset += count }
        return offset..<offset + count
    }

    package mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(RecordDamage) -> Number
    {
        let range = try take(MemoryLayout<Number>.size)
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Number.self))
        }
    }

    package mutating func bool() throws(RecordDamage) -> Bool { try number(UInt8.self) == 1 }

    package mutating func instant() throws(RecordDamage) -> Instant { Instant(milliseconds: try number()) }

    package mutating func byteString() throws(RecordDamage) -> [UInt8] {
        let count = Int(try number(UInt32.self))
        return Array(bytes[try take(count)])
    }

    package mutating func text() throws(RecordDamage) -> String {
        guard let text = String(validating: try byteString(), as: UTF8.self) else { throw RecordDamage() }
        return text
    }

    package mutating func token() throws(RecordDamage) -> DeviceToken {
        guard let token = DeviceToken(bytes: try byteString()) else { throw RecordDamage() }
        return token
    }

    package mutating func id() throws(RecordDamage) -> APNsID { APNsID(high: try number(), low: try number()) }

    package mutating func optional<Value>(
        _ read: (inout RecordReader) throws(RecordDamage) -> Value
    ) throws(RecordDamage) -> Value? {
        try bool() ? try read(&self) : nil
    }

    /// A part that `putPart` wrote.
    package mutating func part() throws(RecordDamage) -> RecordReader {
        let count = Int(try number(UInt32.self))
        return RecordReader(bytes, try take(count))
    }
}
