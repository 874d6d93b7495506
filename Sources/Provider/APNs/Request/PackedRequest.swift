public import RequestWire

/// A request as the request log stores and shows it: no `authorization`, no `content-length`, and without the usual
/// `:method POST`, `:scheme https` and device token path, which reading restores.
public struct PackedRequest: Sendable, Hashable {
    /// Fields in `HeadEntry` format, none marked.
    public let head: [UInt8]
    public let payload: [UInt8]
    public let hasImpliedPath: Bool

    public init(packing request: borrowing RequestBlock, token: DeviceToken?) {
        payload = request.body
        let isImplied = token.map { Self.isImpliedPath(request, $0) } ?? false
        hasImpliedPath = isImplied
        // The parser marks `:method` and `:scheme` only when they have their usual values.
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

    /// Copies a head, replacing marks with full entries.
    /// - Parameter value: The value of a marked header not in `marked`; nil omits the header.
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

    /// nil when the header was absent or is implied.
    public func value(of header: HeaderName) -> String? {
        head.withUnsafeBytes { HeadReader.text(of: header, in: $0) }
    }

    /// Whether the path is `/3/device/` and the token in lower-case digits, and so can be restored byte for byte.
    static func isImpliedPath(_ request: borrowing RequestBlock, _ token: DeviceToken) -> Bool {
        guard let path = request[.path] else { return false }
        let value = request.bytes.span.bytes.extracting(path.bounds)
        let prefix = PathRules.devicePrefix
        let count = prefix.utf8CodeUnitCount
        guard value.byteCount > count, value.extracting(0..<count).equals(prefix) else { return false }
        return token.isSpelled(value.extracting(count..<value.byteCount))
    }
}
