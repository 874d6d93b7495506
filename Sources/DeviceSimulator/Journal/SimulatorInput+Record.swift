internal import APNs
internal import DeviceModel
internal import JSON

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension SimulatorInput {
    private static let pushCode: UInt8 = 1
    private static let changeCode: UInt8 = 2

    /// Writes the input: pushes as they are, everything else, which is rare, as JSON.
    func write(to record: inout RecordWriter) {
        record.putPart { record in
            switch self {
            case .push(let push, let token, let sequence):
                record.put(Self.pushCode)
                record.put(sequence)
                record.put(token)
                push.write(to: &record)
            case .change(let change):
                record.put(Self.changeCode)
                record.put(bytes: RecordCoding.json(change))
            }
        }
    }

    init(from record: inout RecordReader) throws(RecordDamage) {
        var part = try record.part()
        switch try part.number(UInt8.self) {
        case Self.pushCode:
            let sequence = try part.number(UInt64.self)
            let token = try part.token()
            self = .push(try Push(from: &part), token: token, sequence: sequence)
        case Self.changeCode:
            self = .change(try RecordCoding.value(from: part.byteString()))
        default:
            throw RecordDamage()
        }
    }
}

/// JSON inside records.
enum RecordCoding {
    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        // Settings of a scheduled summary and the like may hold any number.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("the values of a simulator can be encoded: \(error)")
        }
    }

    static func value<Value: Decodable>(
        _: Value.Type = Value.self, from bytes: [UInt8]
    ) throws(RecordDamage) -> Value {
        if let json = JSONValue(bytes.span.bytes), let value = try? Value(from: JSONValueDecoder(json)) { return value }
        // Slower, but exact for numbers above `Int.max`; and it says no to what is damaged.
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try decoder.decode(Value.self, from: Data(bytes))
        } catch {
            throw RecordDamage()
        }
    }
}

extension JournalBatch {
    /// Inputs are cut into batches of about this many bytes.
    private static let byteCount = 256 << 10

    /// Batches of inputs.
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
        while !reader.isAtEnd { inputs.append(try SimulatorInput(from: &reader)) }
        guard inputs.count == count else { throw RecordDamage() }
        return inputs
    }
}
