/// The recorded form of a request: header fields without their redundancy, and the payload as received.
///
/// An entry is the name's code (0: length byte and name follow), the value's length (one byte, or 255 and two bytes, low
/// first) and the value. `authorization` is never kept, nor `content-length`, which the payload tells. What a normal push
/// always has is left out and put back on reading: `:method POST`, `:scheme https` and a path that is just the device token.
package struct PackedRequest: Sendable, Hashable {
    /// The entries.
    package let head: [UInt8]
    /// The body as received.
    package let payload: [UInt8]
    package let hasImpliedPath: Bool
    /// Whether there is an `apns-collapse-id`, which devices ask about with each push.
    private let hasCollapseID: Bool

    package init(head: [UInt8], payload: [UInt8], hasImpliedPath: Bool) {
        self.init(
            head: head, payload: payload, hasImpliedPath: hasImpliedPath,
            hasCollapseID: Self.range(of: .apnsCollapseID, in: head) != nil)
    }

    private init(head: [UInt8], payload: [UInt8], hasImpliedPath: Bool, hasCollapseID: Bool) {
        self.head = head
        self.payload = payload
        self.hasImpliedPath = hasImpliedPath
        self.hasCollapseID = hasCollapseID
    }

    /// - Parameter token: The token that the path names, when there is one.
    package init(packing request: borrowing ProviderRequest, token: DeviceToken?) {
        payload = Self.fitting(request.body)
        hasCollapseID = request.head[.apnsCollapseID] != nil
        let isImplied = token.map { Self.isImpliedPath(request, $0) } ?? false
        var count = 0
        request.forEachField { place, name, value in
            guard let code = Self.keptCode(place, name, value, request, impliesPath: isImplied) else { return }
            count &+= PackedEntry.byteCount(code: code, name: name, value: value)
        }
        head = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            request.fields.withUnsafeBytes { source in
                // Neither is nil but for a request without any field, which leaves nothing to write.
                guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
                var writer = PackedWriter(source: source, target: target)
                request.forEachField { place, name, value in
                    guard let code = Self.keptCode(place, name, value, request, impliesPath: isImplied) else { return }
                    writer.putEntry(code: code, name: name, value: value)
                }
                initialized = writer.offset
            }
        }
        hasImpliedPath = isImplied
    }

    /// A body as it may be kept: one that came without its length has room that nobody needs.
    private static func fitting(_ body: consuming [UInt8]) -> [UInt8] {
        body.capacity <= body.count + 64 ? body : body.withUnsafeBufferPointer { Array($0) }
    }

    /// The headers in wire order, without `authorization`.
    /// - Parameter token: The token the request was packed with.
    package func fields(token: DeviceToken?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        Self.visit(head) { code, name, value in
            fields.append((code.map { "\($0.text)" } ?? name, String(decoding: head[value], as: UTF8.self)))
        }
        let names = Set(fields.map(\.name))
        var implied: [(name: String, value: String)] = []
        if !names.contains(":method") { implied.append((":method", "POST")) }
        if !names.contains(":scheme") { implied.append((":scheme", "https")) }
        if hasImpliedPath, let token { implied.append((":path", "\(PathRules.devicePrefix)\(token.hex)")) }
        return implied + fields
    }

    /// A header's value; `nil` when it was absent or is implied.
    package func value(of wanted: HeaderName) -> String? {
        if wanted == .apnsCollapseID, !hasCollapseID { return nil }
        return Self.range(of: wanted, in: head).map { String(decoding: head[$0], as: UTF8.self) }
    }

    /// Where a header's value lies in a packed head.
    static func range(of wanted: HeaderName, in head: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        visit(head) { code, _, value in
            if code == wanted, found == nil { found = value }
        }
        return found
    }

    private static func visit(
        _ head: [UInt8], _ body: (_ code: HeaderName?, _ name: String, _ value: Range<Int>) -> Void
    ) {
        var position = 0
        while position < head.count {
            let code = HeaderName(rawValue: head[position])
            position += 1
            var name = ""
            if code == nil {
                let count = Int(head[position])
                name = String(decoding: head[position + 1..<position + 1 + count], as: UTF8.self)
                position += 1 + count
            }
            var count = Int(head[position])
            position += 1
            if count == 255 {
                count = Int(head[position]) | Int(head[position + 1]) << 8
                position += 2
            }
            body(code, name, position..<position + count)
            position += count
        }
    }

    /// The code of a field's name; `nil` when the field is not kept.
    @inline(__always)
    private static func keptCode(
        _ place: Int, _ name: Range<Int>, _ value: Range<Int>, _ request: borrowing ProviderRequest, impliesPath: Bool
    ) -> UInt8? {
        let source = request.fields.span.bytes
        let code = request.head.code(ofField: place, name: name, in: source)
        let isLeftOut =
            switch code {
            case HeaderName.authorization.rawValue, HeaderName.contentLength.rawValue: true
            case HeaderName.method.rawValue: source.extracting(value).equals("POST")
            case HeaderName.scheme.rawValue: source.extracting(value).equals("https")
            case HeaderName.path.rawValue: impliesPath
            default: false
            }
        return isLeftOut ? nil : code
    }

    /// Whether the path is `/3/device/` and the token in lower-case digits, so that the token gives it back byte for byte.
    static func isImpliedPath(_ request: borrowing ProviderRequest, _ token: DeviceToken) -> Bool {
        guard let path = request.head[.path] else { return false }
        let value = request.fields.span.bytes.extracting(path.bounds)
        let prefix = PathRules.devicePrefix
        let count = prefix.utf8CodeUnitCount
        guard value.byteCount > count, value.extracting(0..<count).equals(prefix) else { return false }
        return token.isSpelled(value.extracting(count..<value.byteCount))
    }
}
