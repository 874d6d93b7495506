/// Limits frames that lead to no answer: rapid reset (CVE-2023-44487), and floods of every other type.
///
/// Counts frames by their headers, before nghttp2 sees them: nghttp2 reports neither the unknown and ignored ones nor every
/// CONTINUATION.
///
/// A token bucket: a frame costs one token and one more for each KiB, a full DATA frame nothing (the window pays for it), an
/// answer that reached its stream's end pays some back. A client that asks and listens never runs dry, whatever its habits.
struct RapidResetLimiter {
    /// Why nothing more is read.
    enum Refusal: Equatable {
        case attack(AttackClass)
        /// A stream that is lower than an earlier one and was never opened (RFC 9113 §5.1.1).
        case streamIdentifier
        /// DATA or HEADERS on a stream that the peer has ended (RFC 9113 §5.1).
        case endedStream
    }

    /// What may be given to nghttp2.
    struct Admission {
        var byteCount: Int
        var refusal: Refusal?
    }

    /// Tokens that an answer pays back: more frames than any client sends per request, even with a body in small pieces.
    private static let refund = 32
    /// From this payload on a DATA frame is work; padding adds at most 256 bytes to nothing.
    private static let freeDataByteCount = 1024
    /// Gaps between stream identifiers that are remembered. Clients leave none.
    private static let keptGaps = 16
    /// So many HEADERS frames keep their room from one read to the next.
    private static let keptRoom = 256
    private static let dataType: UInt8 = 0
    private static let headersType: UInt8 = 1
    private static let resetType: UInt8 = 3
    private static let continuationType: UInt8 = 9
    private static let endHeaders: UInt8 = 4
    private static let endStream: UInt8 = 1

    private let limits: HTTP2Limits
    private var tokens: Int
    private var refilledAt: Int64
    /// Bytes to pass before the next frame header; first those of the preface.
    private var skip = 24
    /// The frame header that arrives in pieces, as a number, and how much of it is there.
    private var partial: UInt128 = 0
    private var partialCount = 0
    /// Bytes of the header block that is not complete; `nil` between blocks.
    private var blockByteCount: Int?
    private var highestStream: Int32 = -1
    private var gaps: [ClosedRange<Int32>] = []
    private var ends = RequestEnds()
    /// Streams that the peer sent something on after it had reset them.
    private var violations: [Int32] = []
    /// HEADERS frames that began among the bytes that were admitted last.
    private(set) var headerFrames: [HeaderFrame] = []
    /// Frames that began, CONTINUATION aside.
    private(set) var frameCount: UInt32 = 0

    /// - Parameter now: Milliseconds on any clock that never goes back; the same one as in `admit`.
    init(limits: HTTP2Limits, now: Int64) {
        self.limits = limits
        tokens = limits.frameBurst
        refilledAt = now
    }

    /// Whether a frame or a header block waits for its rest.
    var isInsideFrame: Bool { skip > 0 || partialCount > 0 || blockByteCount != nil }

    /// An answer reached the end of its stream.
    mutating func payBack() { tokens = min(tokens + Self.refund, limits.frameBurst) }

    /// Passes the frames that arrived, up to the first that is too much.
    mutating func admit(_ bytes: UnsafeRawBufferPointer, now: Int64) -> Admission {
        // A flood's room is given back.
        if headerFrames.capacity > Self.keptRoom { headerFrames = [] }
        headerFrames.removeAll(keepingCapacity: true)
        var offset = 0
        while offset < bytes.count {
            if skip > 0 {
                let step = min(skip, bytes.count - offset)
                skip -= step
                offset += step
                continue
            }
            let start = offset
            var header = partial
            if partialCount == 0, offset + FrameHeader.byteCount <= bytes.count {
                header = Self.header(bytes, at: offset)
                offset += FrameHeader.byteCount
            } else {
                header = header << 8 | UInt128(bytes[offset])
                offset += 1
                partialCount += 1
                guard partialCount == FrameHeader.byteCount else {
                    partial = header
                    continue
                }
                partial = 0
                partialCount = 0
            }
            if let refusal = begin(header, payload: offset, now: now) {
                return Admission(byteCount: start, refusal: refusal)
            }
        }
        return Admission(byteCount: offset)
    }

    private static func header(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt128 {
        let high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        return UInt128(high) << 8 | UInt128(bytes[offset + 8])
    }

    /// Accounts for a frame (RFC 9113 §4.1: length in 24 bits, type and flags in 8 each, stream in 32).
    private mutating func begin(_ header: UInt128, payload: Int, now: Int64) -> Refusal? {
        let length = Int(truncatingIfNeeded: header >> 48)
        let type = UInt8(truncatingIfNeeded: header >> 40)
        let flags = UInt8(truncatingIfNeeded: header >> 32)
        skip = length
        let stream = Int32(truncatingIfNeeded: header & 0x7fff_ffff)
        // Inside a header block any other frame is an error, and nghttp2's to tell.
        let isUse = type <= Self.headersType && blockByteCount == nil
        if type == Self.resetType { ends.noteReset(stream: stream) }
        guard type != Self.dataType || length < Self.freeDataByteCount else {
            frameCount &+= 1
            return isUse && !use(stream: stream, type: type, flags: flags) ? .endedStream : nil
        }
        guard pay(1 + min(length, 65535) >> 10, now: now) else { return .attack(AttackClass(floodOf: type)) }
        if type == Self.continuationType || type == Self.headersType {
            let count = length + (type == Self.continuationType ? blockByteCount ?? 0 : 0)
            guard count <= limits.headerBlockByteCount else { return .attack(.headerBomb) }
            blockByteCount = flags & Self.endHeaders == 0 ? count : nil
        }
        guard type != Self.continuationType else { return nil }
        frameCount &+= 1
        if type == Self.headersType, !note(stream: stream) { return .streamIdentifier }
        if isUse, !use(stream: stream, type: type, flags: flags) { return .endedStream }
        guard type == Self.headersType else { return nil }
        headerFrames.append(HeaderFrame(payload: payload, byteCount: length, flags: flags, stream: stream))
        return nil
    }

    /// - Returns: Whether the stream may get HEADERS: it is new, or was opened before.
    private mutating func note(stream: Int32) -> Bool {
        guard stream > highestStream else { return !gaps.contains { $0.contains(stream) } }
        // Subtracted: the highest stream there can be has none above it.
        if stream - 2 > highestStream, gaps.count < Self.keptGaps { gaps.append(highestStream + 1...stream - 1) }
        highestStream = stream
        return true
    }

    /// DATA or HEADERS arrive.
    /// - Returns: Whether the connection may go on. nghttp2 ignores what comes behind the end of a stream that is closed, as it must
    ///   ignore what crosses a reset of ours.
    private mutating func use(stream: Int32, type: UInt8, flags: UInt8) -> Bool {
        let endsStream = flags & Self.endStream != 0
        switch ends.note(stream: stream, isHeaders: type == Self.headersType, endsStream: endsStream) {
        case .admitted: break
        case .isReset: if violations.last != stream { violations.append(stream) }
        case .isEnded: return false
        }
        return true
    }

    /// Streams that were used after their peer had reset them, once each.
    mutating func takeViolations() -> [Int32] {
        guard !violations.isEmpty else { return [] }
        defer { violations = [] }
        return violations
    }

    private mutating func pay(_ cost: Int, now: Int64) -> Bool {
        if tokens < cost {
            let earned = (now - refilledAt) * Int64(limits.frameRate) / 1000
            tokens += Int(min(earned, Int64(limits.frameBurst - tokens)))
            refilledAt = now
            guard tokens >= cost else { return false }
        }
        tokens -= cost
        return true
    }
}
