extension RawSpan {
    /// Whether these are exactly the bytes of `text`.
    @inline(__always)
    func equals(_ text: StaticString) -> Bool {
        byteCount == text.utf8CodeUnitCount && withUnsafeBytes { Self.areEqual($0, UnsafeRawPointer(text.utf8Start)) }
    }

    /// Whether these are exactly the bytes of `text`.
    func equals(text: String) -> Bool {
        guard byteCount == text.utf8.count else { return false }
        var offset = 0
        for byte in text.utf8 {
            if unsafeLoad(fromByteOffset: offset, as: UInt8.self) != byte { return false }
            offset += 1
        }
        return true
    }

    /// Whether these are exactly the same bytes.
    @inline(__always)
    package func equals(_ other: [UInt8]) -> Bool {
        byteCount == other.count
            && withUnsafeBytes { mine in
                other.withUnsafeBytes { other in other.baseAddress.map { Self.areEqual(mine, $0) } ?? true }
            }
    }

    /// Whether these are exactly the bytes of another span.
    @inline(__always)
    func equals(_ other: RawSpan) -> Bool {
        byteCount == other.byteCount
            && withUnsafeBytes { mine in
                other.withUnsafeBytes { other in other.baseAddress.map { Self.areEqual(mine, $0) } ?? true }
            }
    }

    /// Compares sixteen or eight bytes at a time; the last of them may overlap those before.
    @inline(__always)
    private static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawPointer) -> Bool {
        guard let start = left.baseAddress, left.count >= 8 else {
            for offset in 0..<left.count where left[offset] != right.load(fromByteOffset: offset, as: UInt8.self) {
                return false
            }
            return true
        }
        func difference<Word: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Word.Type) -> Word {
            start.loadUnaligned(fromByteOffset: offset, as: Word.self)
                ^ right.loadUnaligned(fromByteOffset: offset, as: Word.self)
        }
        guard left.count > 16 else {
            return difference(0, UInt64.self) | difference(left.count &- 8, UInt64.self) == 0
        }
        var differences = SIMD2<UInt64>()
        func add(_ offset: Int) {
            differences |=
                start.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
                ^ right.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
        }
        var offset = 0
        while offset < left.count &- 16 {
            add(offset)
            offset &+= 16
        }
        add(left.count &- 16)
        return differences.x | differences.y == 0
    }

    /// The bytes as text; what is not UTF-8 becomes U+FFFD.
    var text: String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}

extension RawSpan {
    func hasSuffix(_ suffix: String) -> Bool {
        let count = suffix.utf8.count
        return byteCount >= count && extracting(byteCount - count..<byteCount).equals(text: suffix)
    }
}

extension [UInt8] {
    /// Whether these are the same bytes at the same place; equal ones may lie elsewhere.
    @inline(__always)
    package func isIdentical(to other: [UInt8]) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress } }
    }
}
