#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A header block that nghttp2 has decoded and found valid, so that what the next ones repeat byte for byte is not decoded again.
///
/// Requests of one provider are alike but for the path, and HPACK sends the long `authorization` anew with each. What is repeated is
/// taken out of the frame before nghttp2 sees it, and put back when the rest was decoded: same fields, same order. A block is
/// shortened only if nothing could be different without that:
/// - Both blocks have the same fields in the same order; they differ at most in values that are spelled out.
/// - Neither changes the decoder's table, nor did any block between them. So equal bytes mean equal fields.
/// - Pseudo fields, `host` and `content-length` stay in: nghttp2 holds the stream's frames against them. It only wants some valid
///   `:path`, though, and gets the shortest.
struct HeaderMemo: ~Copyable {
    private struct Field {
        /// Where its representation ends in `block`.
        var end: Int
        /// Where the value's string begins in `block`; `nil` for a field that is only named by its index.
        var value: Int?
        /// Where it ends in `fields`.
        var fieldEnd: Int
        /// Whether nghttp2 wants to see it in any case.
        var stays: Bool
        /// What it may see instead when it has seen the field before, in one byte.
        var standIn: UInt8?
    }

    /// What was done to a header block, in terms of the memo's fields.
    private struct Shortening {
        /// Those that nghttp2 sees.
        var left: UInt64 = 0
        /// Those that it sees something else for.
        var replaced: UInt64 = 0
        /// Nothing in the block is new.
        var isWhole = true
    }

    /// A header block that nghttp2 is about to see.
    private struct Expected {
        var stream: Int32
        /// `nil` for a block as it came.
        var shortening: Shortening?
    }

    /// A block, and what it says.
    private struct Content {
        var block: [UInt8] = []
        var layout: [Field] = []
        var fields = FieldList()
        /// What is left of the block when all of it comes again, and how.
        var rest: [UInt8] = []
        var shortening = Shortening()
    }

    private var content = Content()
    /// Whether blocks may be held against it: from a block on that changes the decoder's table they may not.
    private var isUsable = false
    /// A block that may become the content once it was decoded.
    private var candidate: (stream: Int32, block: [UInt8])?
    /// What becomes the content with the next bytes; until then those that were shortened are completed from the old one.
    private var successor: Content?
    /// A block of which only the beginning has arrived, and how long it will be.
    private var unfinished: (block: [UInt8], byteCount: Int)?
    /// In their order; consumed from `next` on.
    private var expected: [Expected] = []
    private var next = 0
    /// What was done to the block that nghttp2 decodes now, and the memo's field that comes next.
    private var shortening: Shortening?
    private var cursor = 0
    /// All of the block that nghttp2 decodes now is known.
    var isWhole: Bool { shortening?.isWhole == true }

    private(set) var shortenedCount = 0

    private static let maximumFieldCount = 64
    private static let maximumByteCount = 4096
    /// Blocks that come at once; more are a flood's, which is not worth it.
    private static let maximumBlockCount = 256
    private static let keptNames: [StaticString] = ["host", "content-length"]
    /// `:path: /`, in HPACK's static table (RFC 7541, appendix A).
    private static let plainPath: UInt8 = 0x80 | 4

    // MARK: Before nghttp2

    /// Copies bytes without what the memo knows.
    ///
    /// - Parameter frames: The HEADERS frames that begin among them.
    /// - Returns: How many bytes are left; `nil` when nothing could be taken out, and `target` is of no use.
    mutating func shorten(
        _ bytes: UnsafeRawBufferPointer, frames: [HeaderFrame], into target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        expected.removeAll(keepingCapacity: true)
        next = 0
        candidate = nil
        succeed()
        continueUnfinished(bytes)
        guard frames.count <= Self.maximumBlockCount else {
            (isUsable, unfinished) = (false, nil)
            return nil
        }
        var newest: (stream: Int32, block: Range<Int>)?
        var (copied, count) = (0, 0)
        for frame in frames {
            guard let range = frame.block, range.count <= Self.maximumByteCount,
                range.upperBound <= bytes.count || !frame.hasPriority
            else {
                (isUsable, newest) = (false, nil)
                continue
            }
            var shortening: Shortening?
            if range.upperBound > bytes.count {
                unfinished = (Array(bytes[range.lowerBound...]), range.count)
            } else if frame.isHeadThere,
                let known = take(bytes, range, into: target, at: count + range.lowerBound - copied)
            {
                target.copy(bytes[copied..<range.lowerBound], to: count)
                count += range.lowerBound - copied
                let head = range.lowerBound - frame.payload
                FrameHeader.write(length: head + known.byteCount, to: target, at: count - head - FrameHeader.byteCount)
                count += known.byteCount
                copied = range.upperBound
                shortenedCount += 1
                shortening = known.shortening
            } else if Self.leavesTable(UnsafeRawBufferPointer(rebasing: bytes[range])) {
                newest = (frame.stream, range)
            } else {
                (isUsable, newest) = (false, nil)
            }
            expected.append(Expected(stream: frame.stream, shortening: shortening))
        }
        candidate = newest.map { ($0.stream, Array(bytes[$0.block])) }
        guard copied > 0 else { return nil }
        target.copy(bytes[copied...], to: count)
        return count + bytes.count - copied
    }

    private mutating func succeed() {
        guard let next = successor else { return }
        content = next
        successor = nil
        isUsable = true
    }

    /// A block that is known only when it is complete: nghttp2 gets it as it comes.
    private mutating func continueUnfinished(_ bytes: UnsafeRawBufferPointer) {
        guard let missing = unfinished.map({ $0.byteCount - $0.block.count }) else { return }
        unfinished?.block += bytes.prefix(missing)
        guard bytes.count >= missing, let block = unfinished?.block else { return }
        unfinished = nil
        if !block.withUnsafeBytes(Self.leavesTable) { isUsable = false }
    }

    /// Whether no field of a block changes the decoder's table.
    private static func leavesTable(_ block: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while offset < block.count {
            guard let field = FieldRepresentation(block, at: offset) else { return false }
            offset = field.end
        }
        return true
    }

    /// Copies of a block what the memo does not know.
    private func take(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, into target: UnsafeMutableRawBufferPointer, at place: Int
    ) -> (shortening: Shortening, byteCount: Int)? {
        guard isUsable else { return nil }
        let other = UnsafeRawBufferPointer(rebasing: bytes[range])
        return content.block.withUnsafeBytes { block in
            guard other.count == block.count, Self.areEqual(other, 0, block, 0, block.count) else {
                return Self.take(other, block, content.layout, into: target, at: place)
            }
            content.rest.withUnsafeBytes { target.copy($0[...], to: place) }
            return (content.shortening, content.rest.count)
        }
    }

    private static func take(
        _ other: UnsafeRawBufferPointer, _ block: UnsafeRawBufferPointer, _ layout: [Field],
        into target: UnsafeMutableRawBufferPointer, at place: Int
    ) -> (shortening: Shortening, byteCount: Int)? {
        var shortening = Shortening()
        var (count, offset, start) = (0, 0, 0)
        for index in layout.indices {
            let field = layout[index]
            let bit = UInt64(1) << UInt64(index)
            var end = offset + field.end - start
            if areEqual(other, offset, block, start, field.end - start) {
                if let standIn = field.standIn {
                    target[place + count] = standIn
                    count += 1
                    shortening.replaced |= bit
                } else if field.stays {
                    target.copy(other[offset..<end], to: place + count)
                    count += end - offset
                    shortening.left |= bit
                }
            } else {
                guard let value = field.value, areEqual(other, offset, block, start, value - start),
                    let valueEnd = FieldRepresentation.string(other, at: offset + value - start)
                else { return nil }
                end = valueEnd
                target.copy(other[offset..<end], to: place + count)
                count += end - offset
                shortening.left |= bit
                shortening.isWhole = false
            }
            (offset, start) = (end, field.end)
        }
        return offset == other.count ? (shortening, count) : nil
    }

    private static func areEqual(
        _ one: UnsafeRawBufferPointer, _ place: Int, _ other: UnsafeRawBufferPointer, _ otherPlace: Int, _ count: Int
    ) -> Bool {
        guard place + count <= one.count, let one = one.baseAddress, let other = other.baseAddress else { return false }
        return memcmp(one + place, other + otherPlace, count) == 0
    }

    // MARK: While nghttp2 decodes

    /// A header block begins.
    mutating func begin(stream: Int32) {
        shortening = nil
        cursor = 0
        // Blocks that nghttp2 only skims are not told.
        guard let place = expected[next...].firstIndex(where: { $0.stream == stream }) else { return }
        shortening = expected[place].shortening
        next = place + 1
    }

    /// Puts back what stands before the field that nghttp2 has decoded, or found invalid.
    /// - Returns: Whether the field is one of the block; if not, the one in whose place it stood was put back.
    mutating func putBack(into block: inout FieldBlock) -> Bool {
        guard let shortening else { return true }
        let first = cursor
        let seen = shortening.left | shortening.replaced
        while cursor < content.layout.count, seen & 1 << UInt64(cursor) == 0 { cursor += 1 }
        let isReplaced = shortening.replaced & 1 << UInt64(cursor) != 0
        append(first..<(isReplaced ? cursor + 1 : cursor), to: &block)
        cursor += 1
        return !isReplaced
    }

    private func append(_ range: Range<Int>, to block: inout FieldBlock) {
        guard let last = range.last else { return }
        let start = range.lowerBound == 0 ? 0 : content.layout[range.lowerBound - 1].fieldEnd
        let end = content.layout[last].fieldEnd
        content.fields.bytes.withUnsafeBytes { fields in
            block.append(fields: .init(rebasing: fields[start..<end]), count: range.count)
        }
    }

    /// The request's header block is complete and valid: puts back what stands at its end, and remembers it if it is a new one.
    /// - Returns: All its fields.
    mutating func end(stream: Int32, _ block: inout FieldBlock) -> FieldList {
        guard !isWhole else { return content.fields }
        if shortening != nil, cursor < content.layout.count { append(cursor..<content.layout.count, to: &block) }
        shortening = nil
        let fields = FieldList(block)
        guard let candidate, candidate.stream == stream else { return fields }
        self.candidate = nil
        let layout = candidate.block.withUnsafeBytes { bytes in
            fields.bytes.withUnsafeBytes { Self.layout(of: bytes, fields: $0) }
        }
        guard !layout.isEmpty else { return fields }
        successor = Self.content(candidate.block, layout, fields)
        return fields
    }

    private static func content(_ block: [UInt8], _ layout: [Field], _ fields: FieldList) -> Content {
        var content = Content(block: block, layout: layout, fields: fields)
        content.rest = [UInt8](unsafeUninitializedCapacity: block.count) { target, count in
            block.withUnsafeBytes { block in
                // A block against itself is equal, so there is an answer.
                guard let known = take(block, block, layout, into: .init(target), at: 0) else { return }
                (content.shortening, count) = known
            }
        }
        return content
    }

    /// - Returns: Nothing when the fields are not those of the block: nghttp2 drops some that are not valid.
    private static func layout(of block: UnsafeRawBufferPointer, fields: UnsafeRawBufferPointer) -> [Field] {
        var layout: [Field] = []
        var (offset, fieldOffset) = (0, 0)
        while offset < block.count {
            guard let field = FieldRepresentation(block, at: offset), fieldOffset < fields.count,
                layout.count < maximumFieldCount
            else { return [] }
            let nameCount = Int(fields.loadUnaligned(fromByteOffset: fieldOffset, as: UInt16.self))
            let valueCount = Int(fields.loadUnaligned(fromByteOffset: fieldOffset + 2, as: UInt16.self))
            let name = UnsafeRawBufferPointer(rebasing: fields[fieldOffset + 4..<fieldOffset + 4 + nameCount])
            let isPlainPath =
                name.elementsEqual(":path".utf8) && valueCount > 0 && fields[fieldOffset + 4 + nameCount] == 0x2f
            let stays =
                name.first == UInt8(ascii: ":")
                || keptNames.contains { $0.withUTF8Buffer { name.elementsEqual($0) } }
            offset = field.end
            fieldOffset += 4 + nameCount + valueCount
            layout.append(
                Field(
                    end: offset, value: field.value, fieldEnd: fieldOffset, stays: stays,
                    standIn: isPlainPath ? plainPath : nil))
        }
        return fieldOffset == fields.count ? layout : []
    }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate func copy(_ bytes: Slice<UnsafeRawBufferPointer>, to offset: Int) {
        UnsafeMutableRawBufferPointer(rebasing: self[offset...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: bytes))
    }
}
