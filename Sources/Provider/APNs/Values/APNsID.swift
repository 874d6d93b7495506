internal import RequestWire

public struct APNsID: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64
    public static let characterCount = 36

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the canonical form: 8-4-4-4-12 hexadecimal digits of either case.
    public init?(_ text: RawSpan) {
        guard text.byteCount == Self.characterCount else { return nil }
        func byte(_ offset: Int) -> UInt8 { text.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        func eight(_ offset: Int) -> UInt64 { text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        func four(_ offset: Int) -> UInt64 {
            UInt64(text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
        }
        guard byte(8) == 0x2d, byte(13) == 0x2d, byte(18) == 0x2d, byte(23) == 0x2d,
            let first = Hex.fourBytes(UInt64(littleEndian: eight(0))),
            let second = Hex.fourBytes(four(9) | (four(14) << 32)),
            let third = Hex.fourBytes(four(19) | (four(24) << 32)),
            let fourth = Hex.fourBytes(UInt64(littleEndian: eight(28)))
        else { return nil }
        high = (UInt64(first.byteSwapped) << 32) | UInt64(second.byteSwapped)
        low = (UInt64(third.byteSwapped) << 32) | UInt64(fourth.byteSwapped)
    }

    /// True for lower case only; does not allocate.
    func isSpelled(_ text: RawSpan) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.characterCount) { buffer in
            var span = OutputSpan(buffer: buffer, initializedCount: 0)
            write(.lower, into: &span)
            return text.equals(span.span.bytes)
        }
    }

    public enum LetterCase: UInt64, Sendable {
        /// APNs' form of an `apns-id` it generates. The raw value is the distance between `9` and `A`, less one.
        case upper = 7
        /// APNs' form of `apns-unique-id`.
        case lower = 0x27
    }

    /// Appends 36 characters in canonical form.
    public func write(_ letterCase: LetterCase, into text: inout OutputSpan<UInt8>) {
        text.withUnsafeMutableBufferPointer { buffer, count in
            let target = UnsafeMutableRawPointer(buffer.baseAddress! + count)
            let first = Hex.digits(UInt32(truncatingIfNeeded: high >> 32), letterCase)
            let second = Hex.digits(UInt32(truncatingIfNeeded: high), letterCase)
            let third = Hex.digits(UInt32(truncatingIfNeeded: low >> 32), letterCase)
            // 8-4-4-4-12: writes eight digits at a time, then the hyphens in the gaps.
            target.storeBytes(of: first, as: UInt64.self)
            target.storeBytes(of: UInt32(truncatingIfNeeded: second), toByteOffset: 9, as: UInt32.self)
            target.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32), toByteOffset: 14, as: UInt32.self)
            target.storeBytes(of: UInt32(truncatingIfNeeded: third), toByteOffset: 19, as: UInt32.self)
            target.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32), toByteOffset: 24, as: UInt32.self)
            let last = Hex.digits(UInt32(truncatingIfNeeded: low), letterCase)
            target.storeBytes(of: last, toByteOffset: 28, as: UInt64.self)
            buffer[count + 8] = 0x2d
            buffer[count + 13] = 0x2d
            buffer[count + 18] = 0x2d
            buffer[count + 23] = 0x2d
            count += Self.characterCount
        }
    }

    public func text(_ letterCase: LetterCase) -> String {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: Self.characterCount) { write(letterCase, into: &$0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
