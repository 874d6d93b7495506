/// Splits input into header blocks, for `HPACKDecoder`, and frames with empty ones, for nghttp2 (RFC 9113 §4.1, §4.3).
struct FrameSplitter {
    /// The part of a header block in one frame.
    struct BlockPart {
        /// In the bytes that were split.
        var range: Range<Int>
        var endsBlock: Bool
    }

    /// Frames with header blocks are passed on whole up to this length; nghttp2 and the limiter refuse longer ones.
    private let maximumHeldByteCount: Int
    /// An incomplete frame header, or an incomplete frame with a header block.
    private var held: [UInt8] = []
    /// Bytes to pass on before the next frame header; initially the connection preface.
    private var skip = 24
    /// One per frame with a header block; `nil` for a malformed frame, which nghttp2 gets unchanged.
    private var parts: [BlockPart?] = []
    /// Ends of batches in the returned frames, ascending, without the last.
    private(set) var batchEnds: [Int] = []
    /// Requests that are answered before the next ones are decoded, so that their memory is still in the cache.
    private static let batchSize = 4
    private var nextPart = 0
    /// Capacity retained between reads.
    private static let retainedCapacity = 256

    init(settings: HTTP2Settings, limits: HTTP2Limits) {
        maximumHeldByteCount = min(Int(settings.maximumFrameSize), limits.headerBlockByteCount)
    }

    var isInsideFrame: Bool { skip > 0 || !held.isEmpty }

    /// Whether it holds bytes that the limiter has not counted.
    var isHolding: Bool { !held.isEmpty }

    /// Bytes to prepend to the next read.
    mutating func takeHeld() -> [UInt8] {
        defer { held = [] }
        return held
    }

    /// Splits up to the first frame that the limiter refuses.
    /// - Parameter room: As large as `bytes`.
    /// - Returns: Frames for nghttp2, in `room`, or in `bytes` when they contain no header block.
    mutating func split(
        _ bytes: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer, _ limiter: inout FrameLimiter,
        now: Int64
    ) -> (frames: UnsafeRawBufferPointer, refusal: FrameLimiter.Refusal?) {
        if parts.capacity > Self.retainedCapacity { parts = [] }
        if batchEnds.capacity > Self.retainedCapacity { batchEnds = [] }
        parts.removeAll(keepingCapacity: true)
        batchEnds.removeAll(keepingCapacity: true)
        nextPart = 0
        var requestCount = 0
        var refusal: FrameLimiter.Refusal?
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
            if requestCount == Self.batchSize {
                requestCount = 0
                batchEnds.append(count + offset - copied)
            }
            refusal = limiter.begin(frame, now: now)
            guard refusal == nil else { break }
            if frame.endsStream, frame.type <= FrameHeader.headers { requestCount += 1 }
            guard isWhole else {
                (skip, offset) = (frame.length, payload)
                continue
            }
            if let block = frame.block(in: bytes, payload: payload) {
                copy(upTo: block.lowerBound)
                FrameHeader.write(length: frame.length - block.count, to: room, at: count - (block.lowerBound - offset))
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

    /// The header block part of the next frame that nghttp2 begins.
    mutating func takePart() -> BlockPart? {
        guard nextPart < parts.count else { return nil }
        defer { nextPart += 1 }
        return parts[nextPart]
    }
}
