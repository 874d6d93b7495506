/// The recorded form of a request: header fields without their redundancy, then the payload as received, in one buffer.
///
/// An entry is the name's code (0: length byte and name follow), the value's length (one byte, or 255 and two bytes, low
/// first) and the value. `authorization` is never kept. What a normal push always has is left out and put back on reading:
/// `:method POST`, `:scheme https`, `content-length`, and a path that is just the device token.
public struct PackedRequest: Sendable, Hashable {
    let bytes: [UInt8]
    private let offset: UInt32
    private let hasImpliedPath: Bool

    /// Where the payload begins.
    var payloadOffset: Int { Int(offset) }

    /// - Parameter token: The token that the path names, when there is one.
    public init(packing request: borrowing ProviderRequest, token: DeviceToken?) {
        let source = request.bytes.span.bytes
        let isImplied = token != nil && Self.isCanonicalPath(request, source)
        // Codes and lengths never take more room than the two lengths and the name they replace.
        let capacity = request.fields.count + request.body.count
        var payloadOffset = 0
        var packed = [UInt8](repeating: 0, count: 0)
        packed.reserveCapacity(Self.byteCount(of: request, impliesPath: isImplied, atMost: capacity))
        request.forEachField { name, value in
            let code = HeaderName(source.extracting(name))
            guard Self.isKept(code, source.extracting(value), impliesPath: isImplied) else { return }
            packed.append(code?.rawValue ?? 0)
            if code == nil {
                let count = min(name.count, 255)
                packed.append(UInt8(count))
                packed.append(contentsOf: request.bytes[name.prefix(count)])
            }
            if value.count < 255 {
                packed.append(UInt8(value.count))
            } else {
                packed.append(255)
                packed.append(UInt8(value.count & 255))
                packed.append(UInt8(value.count >> 8))
            }
            packed.append(contentsOf: request.bytes[value])
        }
        payloadOffset = packed.count
        packed.append(contentsOf: request.bytes[request.body])
        bytes = packed
        offset = UInt32(payloadOffset)
        hasImpliedPath = isImplied
    }

    /// The body as received.
    public var payload: ArraySlice<UInt8> { bytes[payloadOffset...] }

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
        if hasImpliedPath, let token { implied.append((":path", "/3/device/" + token.hex)) }
        return implied + fields
    }

    /// A header's value; `nil` when it was absent or is implied.
    public func value(of wanted: HeaderName) -> String? {
        var found: String?
        visit { code, _, value in
            if code == wanted, found == nil { found = String(decoding: bytes[value], as: UTF8.self) }
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

    private static func byteCount(of request: borrowing ProviderRequest, impliesPath: Bool, atMost limit: Int) -> Int {
        let source = request.bytes.span.bytes
        var count = request.body.count
        request.forEachField { name, value in
            let code = HeaderName(source.extracting(name))
            guard isKept(code, source.extracting(value), impliesPath: impliesPath) else { return }
            count += (code == nil ? 2 + name.count : 1) + (value.count < 255 ? 1 : 3) + value.count
        }
        return min(count, limit)
    }

    @inline(__always)
    private static func isKept(_ code: HeaderName?, _ value: RawSpan, impliesPath: Bool) -> Bool {
        switch code {
        case .authorization, .contentLength: false
        case .method: !value.equals("POST")
        case .scheme: !value.equals("https")
        case .path: !impliesPath
        default: true
        }
    }

    /// Whether the path is `/3/device/` and lower-case digits, so that the token gives it back byte for byte.
    private static func isCanonicalPath(_ request: borrowing ProviderRequest, _ source: RawSpan) -> Bool {
        guard let path = request.head[.path] else { return false }
        let value = source.extracting(path.bounds)
        for offset in 10..<max(10, value.byteCount) {
            let byte = value.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) else { return false }
        }
        return value.byteCount > 10
    }
}
