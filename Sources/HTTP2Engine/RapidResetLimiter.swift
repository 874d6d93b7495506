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

    /// Tokens that an answer pays back: more frames than any client sends per request, even with a body in small pieces.
    private static let refund = 32
    /// From this payload on a DATA frame is work; padding adds at most 256 bytes to nothing.
    private static let freeDataByteCount = 1024
    /// Gaps between stream identifiers that are remembered. Clients leave none.
    private static let keptGaps = 16
    private let limits: HTTP2Limits
    private var tokens: Int
    private var refilledAt: Int64
    /// Bytes of the header block that is not complete; `nil` between blocks.
    private var blockByteCount: Int?
    private var highestStream: Int32 = -1
    private var gaps: [ClosedRange<Int32>] = []
    private var ends = RequestEnds()
    /// Streams that the peer sent something on after it had reset them.
    private var violations: [Int32] = []
    /// Frames that began, CONTINUATION aside.
    private(set) var frameCount: UInt32 = 0

    /// - Parameter now: Milliseconds on any clock that never goes back; the same one as in `begin`.
    init(limits: HTTP2Limits, now: Int64) {
        self.limits = limits
        tokens = limits.frameBurst
        refilledAt = now
    }

    /// Whether a header block waits for its rest.
    var isInsideBlock: Bool { blockByteCount != nil }

    /// An answer reached the end of its stream.
    mutating func payBack() { tokens = min(tokens + Self.refund, limits.frameBurst) }

    /// Accounts for a frame.
    mutating func begin(_ frame: FrameHeader, now: Int64) -> Refusal? {
        // Inside a header block any other frame is an error, and nghttp2's to tell.
        let isUse = frame.type <= FrameHeader.headers && blockByteCount == nil
        if frame.type == FrameHeader.reset { ends.noteReset(stream: frame.stream) }
        guard frame.type != FrameHeader.data || frame.length < Self.freeDataByteCount else {
            frameCount &+= 1
            return isUse && !use(frame) ? .endedStream : nil
        }
        guard pay(1 + min(frame.length, 65535) >> 10, now: now) else {
            return .attack(AttackClass(floodOf: frame.type))
        }
        if frame.hasBlock {
            let count = frame.length + (frame.type == FrameHeader.continuation ? blockByteCount ?? 0 : 0)
            guard count <= limits.headerBlockByteCount else { return .attack(.headerBomb) }
            blockByteCount = frame.endsBlock ? nil : count
        }
        guard frame.type != FrameHeader.continuation else { return nil }
        frameCount &+= 1
        if frame.type == FrameHeader.headers, !note(stream: frame.stream) { return .streamIdentifier }
        return isUse && !use(frame) ? .endedStream : nil
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
    private mutating func use(_ frame: FrameHeader) -> Bool {
        let isHeaders = frame.type == FrameHeader.headers
        switch ends.note(stream: frame.stream, isHeaders: isHeaders, endsStream: frame.endsStream) {
        case .admitted: break
        case .isReset: if violations.last != frame.stream { violations.append(frame.stream) }
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
