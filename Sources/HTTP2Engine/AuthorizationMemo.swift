internal import Glibc

/// The last `authorization` literal and its decoded value, so that an equal literal is not decoded again.
///
/// A provider token is some 200 bytes of Huffman code, and the same in every request of a connection. Most clients send it as a
/// literal that never enters HPACK's dynamic table. Its name has index 23 in the static table (RFC 7541, appendix A), so equal
/// bytes mean an equal field whatever the dynamic table holds. nghttp2 sees `authorization` with an empty value in its place, one
/// byte, and makes all its checks on that; the value is put back when nghttp2 reports the field. This saves 16 % of the
/// instructions of a push.
struct AuthorizationMemo: ~Copyable {
    private struct Literal {
        /// The representation as it came, the index of the name included.
        var bytes: [UInt8]
        var value: [UInt8]
    }

    private var known = Literal(bytes: [], value: [])
    /// The newest literal that was not the known one; the known one once nghttp2 has decoded it.
    private var candidate: (frame: Int, place: Int, bytes: [UInt8])?
    /// Becomes the known one with the next bytes: blocks that were shortened earlier get their value from the old one.
    private var successor: Literal?
    /// For each HEADERS frame of the bytes, how many fields precede the stand-in in its block; -1 when there is none.
    private var standInPlaces: [Int] = []
    /// The frame that nghttp2 decodes now, the place of its stand-in, and how many fields of its block it has reported.
    private var frame = -1
    private var standInPlace = -1
    private var place = 0

    private(set) var shortenedCount = 0

    private static let nameIndex = 23
    /// `authorization` with an empty value, from the static table.
    private static let standIn = UInt8(0x80 | nameIndex)
    /// Longer literals are not worth keeping.
    private static let maximumByteCount = 4096
    /// So many frames keep their room from one read to the next.
    private static let keptRoom = 256
    private let maximumFrameSize: Int

    /// - Parameter maximumFrameSize: SETTINGS_MAX_FRAME_SIZE as announced.
    init(maximumFrameSize: Int) { self.maximumFrameSize = maximumFrameSize }

    // MARK: Before nghttp2

    /// More bytes arrive; those of the last read are decoded.
    mutating func beginRead() {
        // A flood's room is given back.
        if standInPlaces.capacity > Self.keptRoom { standInPlaces = [] }
        standInPlaces.removeAll(keepingCapacity: true)
        frame = -1
        candidate = nil
        if let successor { (known, self.successor) = (successor, nil) }
    }

    /// Copies bytes with stand-ins for the literals that are known.
    ///
    /// - Parameter frames: The HEADERS frames that begin among the bytes.
    /// - Returns: How many bytes are left; `nil` when nothing was replaced and `target` is of no use.
    mutating func shorten(
        _ bytes: UnsafeRawBufferPointer, frames: [HeaderFrame], into target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var newest: (frame: Int, place: Int, range: Range<Int>)?
        var (copied, count) = (0, 0)
        for frame in frames {
            standInPlaces.append(-1)
            // nghttp2 refuses frames over the maximum by their length, so theirs stays.
            guard frame.isHeadThere, frame.byteCount <= maximumFrameSize, let block = frame.block,
                block.upperBound <= bytes.count, let (range, place) = Self.literal(in: bytes, block)
            else { continue }
            let literal = UnsafeRawBufferPointer(rebasing: bytes[range])
            guard isKnown(literal) else {
                newest = (standInPlaces.count - 1, place, range)
                continue
            }
            standInPlaces[standInPlaces.count - 1] = place
            let head = count + frame.payload - copied - FrameHeader.byteCount
            count += target.copy(bytes[copied..<range.lowerBound], to: count)
            FrameHeader.write(length: frame.byteCount - range.count + 1, to: target, at: head)
            target[count] = Self.standIn
            count += 1
            copied = range.upperBound
            shortenedCount += 1
        }
        candidate = newest.map {
            ($0.frame, $0.place, Array(bytes[$0.range]))
        }
        guard copied > 0 else { return nil }
        return count + target.copy(bytes[copied...], to: count)
    }

    /// Where the first `authorization` of a block lies and how many fields precede it; `nil` unless it is a literal that leaves
    /// the dynamic table alone.
    private static func literal(
        in bytes: UnsafeRawBufferPointer, _ block: Range<Int>
    ) -> (range: Range<Int>, place: Int)? {
        let bytes = UnsafeRawBufferPointer(start: bytes.baseAddress, count: block.upperBound)
        var (offset, place) = (block.lowerBound, 0)
        while let field = FieldRepresentation(bytes, at: offset) {
            if field.nameIndex == nameIndex {
                guard field.isPlainLiteral, field.end - offset <= maximumByteCount else { return nil }
                return (offset..<field.end, place)
            }
            if field.nameIndex != nil { place += 1 }
            offset = field.end
        }
        return nil
    }

    private func isKnown(_ literal: UnsafeRawBufferPointer) -> Bool {
        guard literal.count == known.bytes.count, let base = literal.baseAddress else { return false }
        return known.bytes.withUnsafeBytes { memcmp($0.baseAddress!, base, literal.count) == 0 }
    }

    // MARK: While nghttp2 decodes

    /// A HEADERS frame begins.
    mutating func beginFrame() {
        frame += 1
        place = 0
        standInPlace = frame < standInPlaces.count ? standInPlaces[frame] : -1
    }

    /// Bytes of the field that nghttp2 reports next and does not see.
    var hiddenByteCount: Int { place == standInPlace ? known.value.count : 0 }

    /// nghttp2 reports the block's next field.
    /// - Parameter isValid: Whether nghttp2 keeps the field.
    /// - Returns: The value to take in its stead.
    mutating func value(insteadOf value: UnsafeRawBufferPointer, isValid: Bool) -> [UInt8]? {
        defer { place += 1 }
        if place == standInPlace { return known.value }
        if isValid, let candidate, candidate.frame == frame, candidate.place == place {
            successor = Literal(bytes: candidate.bytes, value: Array(value))
        }
        return nil
    }
}

extension UnsafeMutableRawBufferPointer {
    /// - Returns: How many bytes were copied.
    fileprivate func copy(_ bytes: Slice<UnsafeRawBufferPointer>, to offset: Int) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: self[offset...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes))
        return bytes.count
    }
}
