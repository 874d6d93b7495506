internal import RequestWire

/// Limits frames that get no answer: rapid reset (CVE-2023-44487), and floods of every other type.
///
/// Counts frame headers before nghttp2, which reports neither unknown and ignored frames nor every CONTINUATION.
/// A token bucket: a frame costs one token plus one per KiB, a DATA frame of 1 KiB or more nothing (its window limits it),
/// and a completely sent answer refunds some. A client that sends requests and reads the answers never runs out.
struct FrameLimiter {
    /// Why the connection must end.
    enum Refusal: Equatable {
        case attack(AttackClass)
        /// A stream lower than an earlier one and never opened (RFC 9113 §5.1.1).
        case streamIdentifier
        /// DATA or HEADERS on a stream that the peer has ended (RFC 9113 §5.1).
        case endedStream
    }

    /// Tokens per answer: more frames than any client sends per request, even with a body in small pieces.
    private static let refundedTokens = 32
    /// DATA frames from this size on are free. Padding adds at most 256 bytes to an empty one.
    private static let freeDataByteCount = 1024
    /// Gaps between stream identifiers to remember. Clients leave none.
    private static let rememberedGaps = 16
    private let limits: HTTP2Limits
    private var tokens: Int
    private var refilledAt: Int64
    /// Bytes of an incomplete header block; `nil` between blocks.
    private var blockByteCount: Int?
    private var highestStream: Int32 = -1
    private var gaps: [ClosedRange<Int32>] = []
    private var ends = RequestEnds()
    /// Streams that the peer used after resetting them.
    private var violations: [Int32] = []
    /// Streams that the peer reset in the current read; their answers refund nothing.
    private var resets: Set<Int32> = []
    /// Excludes CONTINUATION.
    private(set) var frameCount: UInt32 = 0

    /// - Parameter now: Milliseconds on any monotonic clock, the same as in `begin`.
    init(limits: HTTP2Limits, now: Int64) {
        self.limits = limits
        tokens = limits.frameBurst
        refilledAt = now
    }

    var isInsideBlock: Bool { blockByteCount != nil }

    mutating func beginRead() {
        if !resets.isEmpty { resets = [] }
    }

    mutating func refund(answerTo stream: Int32) {
        guard resets.isEmpty || !resets.contains(stream) else { return }
        tokens = min(tokens + Self.refundedTokens, limits.frameBurst)
    }

    mutating func begin(_ frame: FrameHeader, now: Int64) -> Refusal? {
        // Inside a header block any other frame is an error that nghttp2 reports.
        let isUse = frame.type <= FrameHeader.headers && blockByteCount == nil
        if frame.type == FrameHeader.reset {
            ends.recordReset(stream: frame.stream)
            resets.insert(frame.stream)
        }
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
        if frame.type == FrameHeader.headers, !record(stream: frame.stream) { return .streamIdentifier }
        return isUse && !use(frame) ? .endedStream : nil
    }

    /// - Returns: False when the stream was skipped by a higher one and never opened.
    private mutating func record(stream: Int32) -> Bool {
        guard stream > highestStream else { return !gaps.contains { $0.contains(stream) } }
        // Subtracted, because adding to the highest possible stream overflows.
        if stream - 2 > highestStream, gaps.count < Self.rememberedGaps { gaps.append(highestStream + 1...stream - 1) }
        highestStream = stream
        return true
    }

    /// False ends the connection. nghttp2 ignores frames on closed streams: they may have crossed our RST_STREAM.
    private mutating func use(_ frame: FrameHeader) -> Bool {
        let isHeaders = frame.type == FrameHeader.headers
        switch ends.record(stream: frame.stream, isHeaders: isHeaders, endsStream: frame.endsStream) {
        case .admitted: break
        case .isReset: if !violations.contains(frame.stream) { violations.append(frame.stream) }
        case .isEnded: return false
        }
        return true
    }

    mutating func takeViolations() -> [Int32] {
        guard !violations.isEmpty else { return [] }
        defer { violations = [] }
        return violations
    }

    private mutating func pay(_ cost: Int, now: Int64) -> Bool {
        if tokens < cost {
            // Clamped: 106 idle days at the highest rate overflow.
            let (earned, overflows) = (now - refilledAt).multipliedReportingOverflow(by: Int64(limits.frameRate))
            let missing = limits.frameBurst - tokens
            tokens += overflows ? missing : Int(min(earned / 1000, Int64(missing)))
            refilledAt = now
            guard tokens >= cost else { return false }
        }
        tokens -= cost
        return true
    }
}

/// Limits on frames that get no answer, such as rapid resets (CVE-2023-44487), and on header blocks.
public struct HTTP2Limits: Equatable, Sendable {
    /// Frames without an answer in one burst: enough for three times 1000 streams that send three frames each.
    public var frameBurst = 10_000
    /// Such frames per second that refill the burst. Clients send at most one PING a second (gorush).
    public var frameRate = 1000
    /// Bytes of one header block, encoded or decoded (name + value + 32 per field). Eight times the header list limit of
    /// APNs, so that a list over that limit still gets a 431.
    public var headerBlockByteCount = 65536

    public init() {}
}

/// Tracks the streams that a client has ended, by END_STREAM or RST_STREAM.
///
/// DATA and HEADERS on such a stream are an error whenever they arrive (RFC 9113 §5.1). On any other stream they
/// may have crossed our RST_STREAM and are ignored. Nearly all streams end, so only the open ones are stored.
struct RequestEnds {
    enum Verdict: Equatable {
        case admitted
        /// The client reset the stream: a stream error. nghttp2 gets the frame and ignores it.
        case isReset
        /// The client ended the stream: a connection error.
        case isEnded
    }

    /// Twice the open streams of a connection: those that we reset and the client never ends count, too.
    static let capacity = 2000
    /// Resets to remember, to tell them from ended streams.
    private static let rememberedResets = 16

    /// Begun and not ended by the client, ascending.
    private var open: [Int32] = []
    private var highest: Int32 = 0
    /// The oldest open streams were evicted: whether streams up to this one ended is unknown.
    private var forgotten: Int32 = 0
    private var resets: [Int32] = []

    /// Records DATA or HEADERS. Streams that the client cannot have begun are left to nghttp2.
    mutating func record(stream: Int32, isHeaders: Bool, endsStream: Bool) -> Verdict {
        // Client streams are odd (RFC 9113 §5.1.1).
        guard stream & 1 == 1 else { return .admitted }
        if stream > highest {
            if isHeaders { begin(stream, endsStream: endsStream) }
            return .admitted
        }
        if let index = index(of: stream) {
            if endsStream { open.remove(at: index) }
            return .admitted
        }
        if resets.contains(stream) { return .isReset }
        return stream <= forgotten ? .admitted : .isEnded
    }

    mutating func recordReset(stream: Int32) {
        if let index = index(of: stream) { open.remove(at: index) }
        if resets.count == Self.rememberedResets { resets.removeFirst() }
        resets.append(stream)
    }

    private mutating func begin(_ stream: Int32, endsStream: Bool) {
        highest = stream
        guard !endsStream else { return }
        if open.count == Self.capacity { forgotten = open.removeFirst() }
        open.append(stream)
    }

    /// The index in `open`, mostly the last.
    private func index(of stream: Int32) -> Int? {
        if open.last == stream { return open.count - 1 }
        let index = open.indices.partitionPoint { open[$0] < stream }
        return index < open.count && open[index] == stream ? index : nil
    }
}
