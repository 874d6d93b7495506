/// Takes what arrives apart: nghttp2 gets the frames, with empty header blocks, and `HPACKDecoder` gets the blocks.
struct FrameSplitter {
    /// A header block, or the part of it in one frame.
    struct BlockPart {
        /// Where it lies among the bytes that were split.
        var range: Range<Int>
        var endsBlock: Bool
    }

    /// Frames with parts of header blocks are passed on whole, up to this length; nghttp2 and the limiter refuse longer ones.
    private let maximumHeldByteCount: Int
    /// What has come of a frame header, or of a frame with a header block.
    private var held: [UInt8] = []
    /// Bytes to pass on before the next frame header; first those of the preface.
    private var skip = 24
    /// For each frame with a header block among the bytes split last; `nil` when nghttp2 got it as it was, because it is malformed.
    private var parts: [BlockPart?] = []
    private var nextPart = 0
    /// Room for so many is kept from one read to the next.
    private static let keptRoom = 256

    init(settings: HTTP2Settings, limits: HTTP2Limits) {
        maximumHeldByteCount = min(Int(settings.maximumFrameSize), limits.headerBlockByteCount)
    }

    /// Whether a frame waits for its rest.
    var isInsideFrame: Bool { skip > 0 || !held.isEmpty }

    /// Whether a frame waits that the limiter has not heard of.
    var isHolding: Bool { !held.isEmpty }

    /// What waits for the bytes that come now.
    mutating func takeHeld() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Splits bytes up to the first frame that is too much.
    ///
    /// - Parameter room: As large as the bytes.
    /// - Returns: What nghttp2 gets: bytes of `room`, or of the bytes themselves when no header block is among them.
    mutating func split(
        _ bytes: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer, _ limiter: inout RapidResetLimiter,
        now: Int64
    ) -> (frames: UnsafeRawBufferPointer, refusal: RapidResetLimiter.Refusal?) {
        if parts.capacity > Self.keptRoom { parts = [] }
        parts.removeAll(keepingCapacity: true)
        nextPart = 0
        var refusal: RapidResetLimiter.Refusal?
        var (offset, copied, count) = (0, 0, 0)
        func copy(upTo end: Int) {
            UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[copied..<end]))
            count += end - copied
        }
        while offset < bytes.count {
            let step = min(skip, bytes.count - offset)
            skip -= step
            offset += step
            let payload = offset + FrameHeader.byteCount
            guard payload <= bytes.count else { break }
            let frame = FrameHeader(bytes, at: offset)
            let isWhole = frame.hasBlock && frame.length <= maximumHeldByteCount
            if isWhole, payload + frame.length > bytes.count { break }
            refusal = limiter.begin(frame, now: now)
            guard refusal == nil else { break }
            guard isWhole else {
                (skip, offset) = (frame.length, payload)
                continue
            }
            if let block = frame.block(in: bytes, payload: payload) {
                copy(upTo: block.lowerBound)
                FrameHeader.write(
                    length: frame.length - block.count, to: room, at: count - (block.lowerBound - offset))
                copied = block.upperBound
                parts.append(BlockPart(range: block, endsBlock: frame.endsBlock))
            } else {
                parts.append(nil)
            }
            offset = payload + frame.length
        }
        if refusal == nil { held = Array(bytes[offset...]) }
        guard copied > 0 else { return (UnsafeRawBufferPointer(rebasing: bytes[..<offset]), refusal) }
        copy(upTo: offset)
        return (UnsafeRawBufferPointer(rebasing: room[..<count]), refusal)
    }

    /// The part of a header block in the next frame that nghttp2 begins.
    mutating func takePart() -> BlockPart? {
        guard nextPart < parts.count else { return nil }
        defer { nextPart += 1 }
        return parts[nextPart]
    }
}
