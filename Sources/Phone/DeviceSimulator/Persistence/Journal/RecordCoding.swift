internal import APNs
internal import JSON
internal import Time

/// The bytes differ from those written.
struct RecordDamage: Error {}

/// A value with a fixed binary form for the journal and its checkpoint.
/// A type writes and reads its members in the same order.
protocol Recorded {
    func write(to record: inout RecordWriter)
    init(from record: inout RecordReader) throws(RecordDamage)
}

/// Writes integers little-endian, and strings and bytes after their length.
struct RecordWriter {
    var bytes: [UInt8] = []

    @inline(__always)
    mutating func put<each Value: Recorded>(_ value: repeat each Value) { repeat (each value).write(to: &self) }

    mutating func put(bytes value: some Collection<UInt8>) {
        put(UInt32(value.count))
        bytes.append(contentsOf: value)
    }
}

struct RecordReader {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    @inline(__always)
    mutating func read<each Value: Recorded>() throws(RecordDamage) -> (repeat each Value) {
        (repeat try (each Value)(from: &self))
    }

    fileprivate mutating func number<Number: FixedWidthInteger>() throws(RecordDamage) -> Number {
        let range = try take(MemoryLayout<Number>.size)
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Number.self))
        }
    }

    mutating func byteString() throws(RecordDamage) -> ArraySlice<UInt8> { bytes[try take(Int(try read() as UInt32))] }

    private mutating func take(_ count: Int) throws(RecordDamage) -> Range<Int> {
        guard count <= bytes.count - offset else { throw RecordDamage() }
        defer { offset += count }
        return offset..<offset + count
    }
}

// MARK: Values

extension Recorded where Self: FixedWidthInteger {
    @inline(__always)
    func write(to record: inout RecordWriter) {
        withUnsafeBytes(of: littleEndian) { record.bytes.append(contentsOf: $0) }
    }

    @inline(__always)
    init(from record: inout RecordReader) throws(RecordDamage) { self = try record.number() }
}

extension UInt8: Recorded {}
extension UInt32: Recorded {}
extension UInt64: Recorded {}
extension Int: Recorded {}
extension Int64: Recorded {}

extension Bool: Recorded {
    func write(to record: inout RecordWriter) { record.put(self ? 1 : 0 as UInt8) }
    init(from record: inout RecordReader) throws(RecordDamage) { self = try record.read() as UInt8 == 1 }
}

extension String: Recorded {
    func write(to record: inout RecordWriter) { record.put(bytes: utf8) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let text = try record.byteString().withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let text else { throw RecordDamage() }
        self = text
    }
}

extension Optional: Recorded where Wrapped: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(self != nil)
        if let self { record.put(self) }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        self = try record.read() as Bool ? try record.read() as Wrapped : nil
    }
}

extension Array: Recorded where Element: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(UInt32(count))
        for element in self { record.put(element) }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        self = []
        for _ in 0..<(try record.read() as UInt32) { append(try record.read()) }
    }
}

extension Recorded where Self: RawRepresentable, RawValue: Recorded {
    func write(to record: inout RecordWriter) { record.put(rawValue) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        guard let value = Self(rawValue: try record.read()) else { throw RecordDamage() }
        self = value
    }
}

/// A value that is JSON inside a record, because it is rare or varies: changes, apps, conditions, event logs.
protocol RecordedAsJSON: Recorded, Codable {}

extension RecordedAsJSON {
    func write(to record: inout RecordWriter) { record.put(bytes: recordedJSON) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        try self.init(recordedJSON: Array(try record.byteString()))
    }

    var recordedJSON: [UInt8] { JSONTextEncoder.bytes(self) }

    init(recordedJSON bytes: [UInt8]) throws(RecordDamage) {
        do {
            self = try JSONTextDecoder.decode(Self.self, from: bytes)
        } catch {
            throw RecordDamage()
        }
    }
}

// MARK: Pushes

extension Instant: Recorded {
    func write(to record: inout RecordWriter) { record.put(milliseconds) }
    init(from record: inout RecordReader) throws(RecordDamage) { self.init(milliseconds: try record.read()) }
}

extension DeviceToken: Recorded {
    func write(to record: inout RecordWriter) { record.put(bytes: bytes) }

    init(from record: inout RecordReader) throws(RecordDamage) {
        guard let token = DeviceToken(bytes: try record.byteString()) else { throw RecordDamage() }
        self = token
    }
}

extension APNsID: Recorded {
    func write(to record: inout RecordWriter) { record.put(high, low) }
    init(from record: inout RecordReader) throws(RecordDamage) {
        self.init(high: try record.read(), low: try record.read())
    }
}

extension PushType: Recorded {}
extension Priority: Recorded {}
extension APNsEnvironment: Recorded {}
extension TokenKind: Recorded {}

extension Expiration: Recorded {
    func write(to record: inout RecordWriter) { record.put(seconds) }
    init(from record: inout RecordReader) throws(RecordDamage) { self.init(seconds: try record.read()) }
}

/// Excludes the token it was sent to.
extension Push: Recorded {
    func write(to record: inout RecordWriter) {
        record.put(facts.hasImpliedPath)
        withBytes { head, payload in
            record.put(bytes: head)
            record.put(bytes: payload)
        }
        record.put(apnsID, uniqueID, environment, pushType, priority, expiration, receivedAt, connection)
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        let hasImpliedPath: Bool = try record.read()
        let request = PackedRequest(
            head: Array(try record.byteString()), payload: Array(try record.byteString()),
            hasImpliedPath: hasImpliedPath)
        let facts = PushFacts(
            apnsID: try record.read(), uniqueID: try record.read(), environment: try record.read(),
            pushType: try record.read(), priority: try record.read(), expiration: try record.read(),
            receivedAt: try record.read(), connection: try record.read())
        self = .make(request, facts)
    }
}
