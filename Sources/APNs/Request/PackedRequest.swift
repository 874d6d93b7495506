/// The recorded form of a request: header fields without their redundancy, then the payload as received, in one buffer.
///
/// An entry is the name's code (0: length byte and name follow), the value's length (one byte, or 255 and two bytes, low
/// first) and the value. `authorization` is never kept, nor `content-length`, which the payload tells. What a normal push
/// always has is left out and put back on reading: `:method POST`, `:scheme https` and a path that is just the device token.
public struct PackedRequest: Sendable, Hashable {
    package let bytes: [UInt8]
    private let offset: UInt32
    let hasImpliedPath: Bool

    /// Where the payload begins.
    var payloadOffset: Int { Int(offset) }

    init(bytes: [UInt8], payloadOffset: Int, hasImpliedPath: Bool) {
        self.bytes = bytes
        offset = UInt32(payloadOffset)
        self.hasImpliedPath = hasImpliedPath
    }

    /// - Parameters:
    ///   - token: The token that the path names, when there is one.
    ///   - template: What the request is alike, when it was found to be.
    public init(packing request: borrowing ProviderRequest, token: DeviceToken?, like template: HeaderTemplate? = nil) {
        if let template, token != nil, let alike = PackedRequest(packing: request, like: template) {
            self = alike
            return
        }
        let isImplied = token.map { Self.isImpliedPath(request, $0) } ?? false
        var payloadOffset = 0
        request.forEachField { place, name, value in
            guard let code = Self.keptCode(place, name, value, request, impliesPath: isImplied) else { return }
            payloadOffset &+= PackedEntry.byteCount(code: code, name: name, value: value)
        }
        let count = payloadOffset + request.body.count
        bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            request.bytes.withUnsafeBytes { source in
                // Neither is nil but for a request without any byte, which leaves nothing to write.
                guard count > 0, let source = source.baseAddress, let target = target.baseAddress else { return }
                var writer = PackedWriter(source: source, target: target)
                request.forEachField { place, name, value in
                    guard let code = Self.keptCode(place, name, value, request, impliesPath: isImplied) else { return }
                    writer.putEntry(code: code, name: name, value: value)
                }
                writer.put(request.body)
                initialized = writer.offset
            }
        }
        offset = UInt32(payloadOffset)
        hasImpliedPath = isImplied
    }

    /// The body as received.
    public var payload: ArraySlice<UInt8> { bytes[payloadOffset...] }

    /// Whether the bodies are the same bytes.
    package func hasSamePayload(as other: PackedRequest) -> Bool {
        let (mine, its) = (bytes.span.bytes, other.bytes.span.bytes)
        return mine.extracting(droppingFirst: payloadOffset).equals(its.extracting(droppingFirst: other.payloadOffset))
    }

    /// The headers in wire order, without `authorization`.
    /// - Parameter token: The token the request was packed with.
    public func fields(token: DeviceToken?) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        visit { code, name, value in
            fields.append((code.map { "\($0.text)" } ?? name, String(decoding: bytes[value], as: UTF8.self)))
        }
        let names = Set(fields.map(\.name))
        var implied: [(name: String, value: String)] = []
        if !names.contains(":method") { implied.append((":method", "POST")) }
        if !names.contains(":scheme") { implied.append((":scheme", "https")) }
        if hasImpliedPath, let token { implied.append((":path", "\(PathRules.devicePrefix)\(token.hex)")) }
        return implied + fields
    }

    /// A header's value; `nil` when it was absent or is implied.
    public func value(of wanted: HeaderName) -> String? {
        range(of: wanted).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Where a header's value lies in `bytes`.
    func range(of wanted: HeaderName) -> Range<Int>? {
        var found: Range<Int>?
        visit { code, _, value in
            if code == wanted, found == nil { found = value }
        }
        return found
    }

    private func visit(_ body: (_ code: HeaderName?, _ name: String, _ value: Range<Int>) -> Void) {
        var position = 0
        while position < payloadOffset {
            let code = HeaderName(rawValue: bytes[position])
            position += 1
            var name = ""
            if code == nil {
                let count = Int(bytes[position])
                name = String(decoding: bytes[position + 1..<position + 1 + count], as: UTF8.self)
                position += 1 + count
            }
            var count = Int(bytes[position])
            position += 1
            if count == 255 {
                count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
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
        let source = request.bytes.span.bytes
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
        let value = request.bytes.span.bytes.extracting(path.bounds)
        let prefix = PathRules.devicePrefix
        let count = prefix.utf8CodeUnitCount
        guard value.byteCount > count, value.extracting(0..<count).equals(prefix) else { return false }
        return token.isSpelled(value.extracting(count..<value.byteCount))
    }
}
