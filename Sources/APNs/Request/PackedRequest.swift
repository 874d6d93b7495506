public import Wire

/// A request as the request log and people see it: its header fields without what is secret or implied, and the payload.
///
/// `authorization` is never kept, nor `content-length`, which the payload tells. What a normal push always has is left out and put
/// back on reading: `:method POST`, `:scheme https` and a path that is just the device token.
public struct PackedRequest: Sendable, Hashable {
    /// The fields as `HeadEntry` describes them, none of them marked.
    public let head: [UInt8]
    /// The body as received.
    public let payload: [UInt8]
    public let hasImpliedPath: Bool

    /// - Parameter token: The token that the path names, when there is one.
    public init(packing request: borrowing RequestBlock, token: DeviceToken?) {
        payload = request.body
        let isImplied = token.map { Self.isImpliedPath(request, $0) } ?? false
        hasImpliedPath = isImplied
        // A method and a scheme are marked only when they are usual.
        let leftOut = HeaderName.impliedNames | (isImplied ? HeaderName.path.bit : 0)
        head = request.bytes.withUnsafeBytes { bytes in
            Self.expand(UnsafeRawBufferPointer(rebasing: bytes[request.headRange])) { header in
                leftOut & header.bit != 0 ? nil : request[header].map { Array(bytes[$0.bounds]) }
            }
        }
    }

    public init(head: [UInt8], payload: [UInt8], hasImpliedPath: Bool) {
        self.head = head
        self.payload = payload
        self.hasImpliedPath = hasImpliedPath
    }

    /// Copies a head with entries in the place of marks.
    /// - Parameters:
    ///   - marked: The headers that stay marked.
    ///   - value: What the value of another marked header is; `nil` leaves the header out.
    static func expand(
        _ head: UnsafeRawBufferPointer, except marked: UInt32 = 0, _ value: (HeaderName) -> [UInt8]?
    ) -> [UInt8] {
        var expanded: [UInt8] = []
        for entry in IteratorSequence(HeadReader(head)) {
            if entry.value != nil || marked & (entry.header?.bit ?? 0) != 0 {
                expanded += head[entry.range]
            } else if let header = entry.header, let value = value(header) {
                HeadEntry.append(header, value, to: &expanded)
            }
        }
        return expanded
    }

    /// The headers in wire order, without `authorization`.
    /// - Parameter token: The token the request was packed with.
    public func fields(token: DeviceToken?) -> [(name: String, value: String)] {
        let fields = head.withUnsafeBytes { head in
            IteratorSequence(HeadReader(head)).map { entry in
                (name: entry.name(in: head), value: String(decoding: head[entry.value ?? 0..<0], as: UTF8.self))
            }
        }
        let names = Set(fields.map(\.name))
        var implied: [(name: String, value: String)] = []
        if !names.contains(":method") { implied.append((":method", "POST")) }
        if !names.contains(":scheme") { implied.append((":scheme", "https")) }
        if hasImpliedPath, let token { implied.append((":path", "\(PathRules.devicePrefix)\(token.hex)")) }
        return implied + fields
    }

    /// A header's value; `nil` when it was absent or is implied.
    public func value(of header: HeaderName) -> String? {
        head.withUnsafeBytes { head in
            HeadReader.value(of: header, in: head).map { String(decoding: head[$0], as: UTF8.self) }
        }
    }

    /// Whether the path is `/3/device/` and the token in lower-case digits, so that the token gives it back byte for byte.
    static func isImpliedPath(_ request: borrowing RequestBlock, _ token: DeviceToken) -> Bool {
        guard let path = request[.path] else { return false }
        let value = request.bytes.span.bytes.extracting(path.bounds)
        let prefix = PathRules.devicePrefix
        let count = prefix.utf8CodeUnitCount
        guard value.byteCount > count, value.extracting(0..<count).equals(prefix) else { return false }
        return token.isSpelled(value.extracting(count..<value.byteCount))
    }
}
