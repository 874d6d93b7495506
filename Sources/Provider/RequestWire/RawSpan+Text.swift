internal import Glibc

extension RawSpan {
    public func equals(_ text: StaticString) -> Bool {
        byteCount == text.utf8CodeUnitCount
            && withUnsafeBytes { $0.isEmpty || memcmp($0.baseAddress!, text.utf8Start, $0.count) == 0 }
    }

    public func equals(text: String) -> Bool { equals(text.utf8.span.bytes) }

    public func equals(_ other: [UInt8]) -> Bool { equals(other.span.bytes) }

    public func equals(_ other: RawSpan) -> Bool {
        byteCount == other.byteCount
            && withUnsafeBytes { mine in
                other.withUnsafeBytes { mine.isEmpty || memcmp(mine.baseAddress!, $0.baseAddress!, mine.count) == 0 }
            }
    }

    /// Invalid UTF-8 becomes U+FFFD.
    public var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    public func hasSuffix(_ suffix: String) -> Bool {
        let count = suffix.utf8.count
        return byteCount >= count && extracting(byteCount - count..<byteCount).equals(text: suffix)
    }
}
