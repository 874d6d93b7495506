internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON
internal import Memory

/// The body of `PUT /state`, decoded element by element. Of its long lists, what is decoded leaves memory, so that text
/// and values are not there together.
struct StateBody {
    /// How much text is given back at once.
    private static let partByteCount = 1 << 20

    private let bytes: UnsafeMutableRawBufferPointer
    private var reader: JSONReader
    /// Where the text begins that is still in memory.
    private var start = 0
    private var snapshot = SimulatorSnapshot.empty

    /// - Throws: `FieldError` or `AdminError` with the place of a mistake.
    static func snapshot(in body: consuming [UInt8]) throws -> SimulatorSnapshot {
        if let problem = JSONProblem(ofState: body.span.bytes) {
            throw AdminError.badRequest("The body is \(problem.message).")
        }
        do {
            return try body.withUnsafeMutableBytes { bytes in
                var body = Self(bytes)
                return try body.read()
            }
        } catch let error as UnknownMember {
            let path = FieldPath(codingPath: error.path)
            throw FieldError(problems: [.unknown(error.name, at: path, known: error.known)])
        } catch let error as RepeatedMember {
            throw AdminError.badRequest("'\(FieldPath(codingPath: error.path))' occurs more than once; keep one.")
        } catch let error as DecodingError {
            throw AdminError.badRequest(error.sentence ?? "The body is not a snapshot from GET /state.")
        }
    }

    private init(_ bytes: UnsafeMutableRawBufferPointer) {
        (self.bytes, reader) = (bytes, JSONReader(UnsafeRawBufferPointer(bytes)))
    }

    private mutating func read() throws -> SimulatorSnapshot {
        // The other members, with the long lists empty.
        var frame: [UInt8] = []
        if reader.kind() == .object {
            reader.enter()
            while reader.nextElement() {
                let start = reader.position
                let name = reader.key { String(decoding: $0, as: UTF8.self) }
                frame.append(frame.isEmpty ? ASCII.leftBrace : ASCII.comma)
                if let list = SimulatorSnapshot.LongList(rawValue: name), reader.kind() == .array {
                    frame += "\"\(name)\":[]".utf8
                    try read(list)
                } else {
                    reader.skip()
                    frame += bytes[start..<reader.position]
                }
            }
            frame += frame.isEmpty ? "{}".utf8 : "}".utf8
        } else {
            frame += bytes
        }
        var whole = try JSONTextDecoder.decode(SimulatorSnapshot.self, from: frame, trust: .foreign)
        whole.takeLists(of: snapshot)
        return whole
    }

    private mutating func read(_ list: SimulatorSnapshot.LongList) throws {
        var index = 0
        reader.enter()
        while reader.nextElement() {
            try snapshot.decode(list, index, from: &reader)
            index += 1
            guard reader.position - start >= Self.partByteCount else { continue }
            FreedMemory.discard(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<reader.position]))
            start = reader.position
        }
    }
}
