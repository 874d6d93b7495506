extension RawSpan {
    /// Whether these are exactly the bytes of `text`.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        guard byteCount == text.utf8CodeUnitCount else { return false }
        for offset in 0..<byteCount
        where unsafeLoad(fromByteOffset: offset, as: UInt8.self) != text.utf8Start[offset] { return false }
        return true
    }

    /// Whether these are exactly the bytes of `text`.
    func equals(_ text: String) -> Bool {
        guard byteCount == text.utf8.count else { return false }
        var offset = 0
        for byte in text.utf8 {
            if unsafeLoad(fromByteOffset: offset, as: UInt8.self) != byte { return false }
            offset += 1
        }
        return true
    }

    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension RawSpan {
    func hasSuffix(_ suffix: String) -> Bool {
        let count = suffix.utf8.count
        return byteCount >= count && extracting(byteCount - count..<byteCount).equals(suffix)
    }
}
