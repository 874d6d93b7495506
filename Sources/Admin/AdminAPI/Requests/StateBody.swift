internal import DeviceModel
internal import DeviceSimulator
internal import FoundationEssentials
internal import JSON

/// The body of `PUT /state`, decoded some elements at a time: a decoder takes several times the size of what it decodes.
struct StateBody {
    /// A document is a little longer than this, or as long as one element.
    private static let documentByteCount = 256 << 10

    private let bytes: UnsafeRawBufferPointer
    private var reader: JSONReader
    /// An empty state.
    private let frame: JSONObject
    private var snapshot = SimulatorSnapshot.empty

    /// - Returns: nil unless the body is a valid state. It does not say what is wrong.
    static func snapshot(in body: [UInt8]) -> SimulatorSnapshot? {
        if case .invalid = PayloadScan(body.span.bytes) { return nil }
        return body.withUnsafeBytes { bytes in
            var body = Self(bytes)
            return try? body?.read()
        }
    }

    private init?(_ bytes: UnsafeRawBufferPointer) {
        guard case .object(let frame)? = try? JSONValue(encoding: SimulatorSnapshot.empty) else { return nil }
        (self.bytes, self.frame, reader) = (bytes, frame, JSONReader(bytes))
    }

    private mutating func read() throws -> SimulatorSnapshot? {
        guard reader.kind() == .object else { return nil }
        var others = JSONObject()
        reader.enter()
        while let name = reader.nextKey() {
            guard others[name] == nil else { return nil }
            if SimulatorSnapshot.LongList(rawValue: name) != nil, reader.kind() == .array {
                others[name] = .array([])
                try readList(name)
            } else {
                others[name] = .verbatim(value())
            }
        }
        var whole = try decode(others)
        whole.append(snapshot)
        return whole
    }

    private mutating func readList(_ name: String) throws {
        var elements: [JSONValue] = []
        var byteCount = 0
        reader.enter()
        while reader.nextElement() {
            let element = value()
            elements.append(.verbatim(element))
            byteCount += element.count
            guard byteCount >= Self.documentByteCount else { continue }
            try add(elements, to: name)
            (elements, byteCount) = ([], 0)
        }
        try add(elements, to: name)
    }

    private mutating func add(_ elements: [JSONValue], to list: String) throws {
        var document = frame
        document[list] = .array(elements)
        snapshot.append(try decode(document))
    }

    private func decode(_ document: JSONObject) throws -> SimulatorSnapshot {
        let text = Data(JSONValue.object(document).bytes)
        return try JSONDecoder().decode(Strict<SimulatorSnapshot>.self, from: text).value
    }

    private mutating func value() -> [UInt8] {
        _ = reader.kind()
        let start = reader.position
        reader.skip()
        return Array(bytes[start..<reader.position])
    }
}
