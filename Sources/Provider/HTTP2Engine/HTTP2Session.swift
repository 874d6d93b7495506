internal import CNghttp2
internal import HPACK
public import RequestWire

/// One server-side HTTP/2 connection without I/O: bytes in, events out; answers in, bytes out.
///
/// - Note: Not `Sendable`; the event loop that accepted the connection owns it.
public final class HTTP2Session {
    let session: OpaquePointer
    /// Freed after `session`.
    let sink: UnsafeMutablePointer<EventSink>
    private var streamLimitsToAnnounce: [UInt32]
    /// The shutdown notice is queued. Its PING must follow it, and nghttp2 sends a queued PING first.
    private var pingFollowsNotice = false
    /// nghttp2's shutdown notice takes no debug data, and a GOAWAY of ours would refuse new streams at once.
    private var noticeDebugData: [UInt8] = []
    private var sentSettings: UInt32 = 0
    /// For which no WINDOW_UPDATE is sent, because a fault rule asks for it.
    public var starvedWindow: WindowScope?
    /// GOAWAY is queued and nothing more is read.
    private var isEnded = false
    /// GOAWAY frames sent since the last `takeSentGoAways()`.
    public internal(set) var sentGoAways: [SentGoAway] = []

    /// - Parameter now: Milliseconds on any monotonic clock, the same as in `receive(_:now:)`.
    public init(settings: HTTP2Settings, limits: HTTP2Limits = HTTP2Limits(), now: Int64 = 0) throws(HTTP2Error) {
        sink = .allocate(capacity: 1)
        sink.initialize(to: EventSink(settings: settings, limits: limits, now: now))
        streamLimitsToAnnounce = [settings.maximumConcurrentStreams]
        var options: OpaquePointer?
        try HTTP2Error.check(nghttp2_option_new(&options))
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_http_messaging(options, 1)  // nghttp2 sees no fields; `RequestFields` checks them
        nghttp2_option_set_no_closed_streams(options, 1)  // no priority tree of closed streams: PRIORITY is ignored
        // Debian's nghttp2 counts reads, not frames: one header block in small pieces looks like a flood of eight.
        // The limiter counts frames, and resets too: nghttp2 would answer a flood of them with INTERNAL_ERROR.
        nghttp2_option_set_max_continuations(options, .max)
        nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
        let callbacks = try Callbacks()  // copied by nghttp2
        var session: OpaquePointer?
        let context = UnsafeMutableRawPointer(sink)  // outlives `session`
        var memory = FrameBuffer.allocator(for: sink)  // copied by nghttp2
        try HTTP2Error.check(nghttp2_session_server_new3(&session, callbacks.pointer, context, options, &memory))
        self.session = session!
        try submit([
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, Self.unusedHeaderTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.unenforcedStreamLimit),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maximumFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maximumHeaderListSize),
        ])
    }

    deinit {
        nghttp2_session_del(session)
        sink.deinitialize(count: 1)
        sink.deallocate()
    }

    /// Decodes input into events for `nextEvent()`, in batches of a few requests.
    /// - Parameters:
    ///   - now: Milliseconds; may be up to a second old.
    ///   - handleBatch: Called between batches. Takes the events, and may answer them and take the output.
    /// - Throws: `HTTP2Error` when the connection must close; GOAWAY with the reason is queued where possible.
    public func receive(_ bytes: RawSpan, now: Int64 = 0, handleBatch: () -> Void = {}) throws(HTTP2Error) {
        guard !isEnded else { return }
        sink.pointee.beginRead(now: now)
        let held = sink.pointee.splitter.takeHeld()
        let (status, refusal) = bytes.withUnsafeBytes { bytes in
            held.isEmpty ? take(bytes, handleBatch) : (held + bytes).withUnsafeBytes { take($0, handleBatch) }
        }
        switch nghttp2_error(rawValue: Int32(truncatingIfNeeded: status)) {
        case NGHTTP2_ERR_CALLBACK_FAILURE where sink.pointee.isWindowOverflown:
            try end(.flowControlError, reason: "SETTINGS that make a window overflow")
        case NGHTTP2_ERR_CALLBACK_FAILURE where sink.pointee.blockEnd == .invalid:
            try end(.compressionError, reason: "a header block that HPACK does not decode")
        case NGHTTP2_ERR_CALLBACK_FAILURE: try end(.headerBomb)
        case NGHTTP2_ERR_FLOODED: try end(.unreadAcknowledgements)
        default: try HTTP2Error.check(status)
        }
        for stream in sink.pointee.limiter.takeViolations() { try reset(stream: stream, .streamClosed) }
        switch refusal {
        case .attack(let attack): try end(attack)
        case .streamIdentifier: try end(.protocolError, reason: SentGoAway.streamOrder)
        case .endedStream: try end(.streamClosed, reason: "a frame on a stream that the client had ended")
        case nil: break
        }
    }

    /// No event follows `.attack`: close after sending the output.
    public func nextEvent() -> HTTP2Event? { sink.pointee.next() }

    private func take(
        _ bytes: UnsafeRawBufferPointer, _ handleBatch: () -> Void
    ) -> (status: Int, refusal: FrameLimiter.Refusal?) {
        withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { room in
            let (frames, refusal) = sink.pointee.split(bytes, room)
            let bytes = frames.bindMemory(to: UInt8.self)
            var start = 0
            for batch in sink.pointee.splitter.batchEnds.indices {
                let end = sink.pointee.splitter.batchEnds[batch]
                let status = nghttp2_session_mem_recv(session, bytes.baseAddress! + start, end - start)
                guard status >= 0 else { return (status, refusal) }
                start = end
                handleBatch()
                if isEnded { return (0, nil) }
            }
            return (
                nghttp2_session_mem_recv(session, bytes.baseAddress.map { $0 + start }, bytes.count - start), refusal
            )
        }
    }

    /// Queues GOAWAY, reports `.attack` and stops reading.
    public func end(_ attack: AttackClass) throws(HTTP2Error) {
        guard !isEnded else { return }
        try end(attack.errorCode, reason: attack.rawValue)
        sink.pointee.append(.attack(attack))
    }

    private func end(_ code: HTTP2ErrorCode, reason: String) throws(HTTP2Error) {
        guard !isEnded else { return }
        isEnded = true
        try submitGoAway(code, debugData: Array(#"{"reason":"\#(reason)"}"#.utf8))
    }

    public func takeOutput(into output: inout [UInt8]) throws(HTTP2Error) {
        while true {
            var frame: UnsafePointer<UInt8>?
            let count = try HTTP2Error.check(nghttp2_session_mem_send(session, &frame))
            guard count > 0, let frame else { return }
            if frame[3] == FrameHeader.windowUpdate, isStarved(frame) { continue }
            let offset = output.count
            output.append(contentsOf: UnsafeBufferPointer(start: frame, count: count))
            appendFields(to: &output, frameAt: offset)
            let isSettings = frame[3] == UInt8(NGHTTP2_SETTINGS.rawValue) && frame[4] == 0
            if isSettings {
                sentSettings &+= 1
                announceLimits(in: &output, frameAt: offset, byteCount: count)
            }
            if frame[3] == FrameHeader.goAway {
                if pingFollowsNotice {
                    pingFollowsNotice = false
                    noticeDebugData.withUnsafeBufferPointer { extend(&output, frameAt: offset, by: $0) }
                    try HTTP2Error.check(nghttp2_submit_ping(session, noFlags, nil))
                }
                boundGoAway(in: &output, frameAt: offset)
            }
            if !sink.pointee.streamsToReset.isEmpty {
                try resetIfAnswered(output.withUnsafeBytes { FrameHeader($0, at: offset) })
            }
        }
    }

    /// Appends to the last frame and updates its length.
    func extend(_ output: inout [UInt8], frameAt offset: Int, by bytes: UnsafeBufferPointer<UInt8>) {
        output.append(contentsOf: bytes)
        let length = output.count - offset - FrameHeader.byteCount
        output.withUnsafeMutableBytes { FrameHeader.write(length: length, to: $0, at: offset) }
    }

    public var isFinished: Bool {
        (isEnded || nghttp2_session_want_read(session) == 0) && nghttp2_session_want_write(session) == 0
    }

    public var wantsOutput: Bool { nghttp2_session_want_write(session) != 0 }

    public var openStreamCount: Int { sink.pointee.slots.count }

    /// Includes a frame that is still incomplete; CONTINUATION does not count.
    public var receivedFrameCount: UInt32 {
        let isAnother = sink.pointee.splitter.isHolding && !sink.pointee.limiter.isInsideBlock
        return sink.pointee.limiter.frameCount &+ (isAnother ? 1 : 0)
    }

    public var isInsideFrame: Bool { sink.pointee.splitter.isInsideFrame || sink.pointee.limiter.isInsideBlock }

    public var acknowledgedSettingsCount: UInt32 { sink.pointee.acknowledgedSettings }

    public var awaitsAcknowledgement: Bool { sentSettings != sink.pointee.acknowledgedSettings }

    /// Announces the limit in a SETTINGS frame and enforces it at once.
    public func setStreamLimit(_ limit: UInt32) throws(HTTP2Error) {
        sink.pointee.streamLimit = limit
        streamLimitsToAnnounce.append(limit)
        try submit([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.unenforcedStreamLimit)])
    }

    /// Asks the peer to open no more streams: the first step of a graceful shutdown (RFC 9113 §6.8).
    /// A PING follows; `.pingAcknowledged` means that the peer has received both.
    /// - Parameter debugData: The reason; some clients read only the first GOAWAY.
    public func submitShutdownNotice(debugData: [UInt8]) throws(HTTP2Error) {
        try HTTP2Error.check(nghttp2_submit_shutdown_notice(session))
        pingFollowsNotice = true
        noticeDebugData = debugData
    }

    /// Queues GOAWAY; only streams up to `lastStream` (`nil` for the last one seen) may still finish.
    /// - Parameter debugData: JSON, such as `{"reason":"Shutdown"}`.
    public func submitGoAway(_ code: HTTP2ErrorCode, lastStream: Int32? = nil, debugData: [UInt8]) throws(HTTP2Error) {
        let last = min(lastStream ?? nghttp2_session_get_last_proc_stream_id(session), sink.pointee.lastStream)
        // Also applies to input read before the frame is sent.
        sink.pointee.lastStream = last
        try HTTP2Error.check(nghttp2_submit_goaway(session, noFlags, last, code.number, debugData, debugData.count))
    }

    public func reset(stream: Int32, _ code: HTTP2ErrorCode) throws(HTTP2Error) {
        try HTTP2Error.check(nghttp2_submit_rst_stream(session, noFlags, stream, code.number))
    }

    /// Passed to nghttp2, which closes the connection over a surplus stream; APNs refuses only that stream.
    private static let unenforcedStreamLimit: UInt32 = 0x7fff_ffff

    /// Passed to nghttp2, whose table stays empty.
    private static let unusedHeaderTableSize: UInt32 = 4096

    func submit(_ entries: [(nghttp2_settings_id, UInt32)]) throws(HTTP2Error) {
        let entries = entries.map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        try HTTP2Error.check(nghttp2_submit_settings(session, noFlags, entries, entries.count))
    }

    private func resetIfAnswered(_ frame: FrameHeader) throws(HTTP2Error) {
        guard frame.endsStream, sink.pointee.streamsToReset.remove(frame.stream) != nil else { return }
        try reset(stream: frame.stream, .noError)
    }

    /// Replaces nghttp2's stream limit and table size with the real ones in an outgoing SETTINGS frame.
    private func announceLimits(in output: inout [UInt8], frameAt offset: Int, byteCount: Int) {
        for entry in stride(from: offset + FrameHeader.byteCount, to: offset + byteCount, by: 6) {
            let value: UInt32
            switch UInt32(output[entry]) << 8 | UInt32(output[entry + 1]) {
            case NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue: value = streamLimitsToAnnounce.removeFirst()
            case NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue: value = sink.pointee.settings.headerTableSize
            default: continue
            }
            output.replaceSubrange(entry + 2..<entry + 6, with: value.bigEndianBytes)
        }
    }
}
