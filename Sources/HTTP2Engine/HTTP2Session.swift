internal import CNghttp2
public import Wire

/// One server-side HTTP/2 connection without I/O: bytes in, events out; answers in, bytes out.
///
/// - Note: Not `Sendable`; the event loop that accepted the connection owns it.
public final class HTTP2Session {
    let session: OpaquePointer
    /// Allocated here, freed after `session`.
    let sink: UnsafeMutablePointer<EventSink>
    /// Stream limits of the SETTINGS frames that have not left yet, in their order.
    private var streamLimitsToAnnounce: [UInt32]
    /// The shutdown notice is queued; its PING must follow it, and nghttp2 would send a PING first.
    private var pingFollowsNotice = false
    /// What the notice says to people; nghttp2's has no room for it, and a GOAWAY of ours would refuse new streams at once.
    private var noticeDebugData: [UInt8] = []
    /// SETTINGS that left.
    private var sentSettings: UInt32 = 0
    /// GOAWAY is queued and nothing more is read.
    private var isEnded = false
    /// GOAWAY frames that left and that nobody has asked for yet.
    public internal(set) var sentGoAways: [SentGoAway] = []

    /// Queues the server's SETTINGS.
    /// - Parameter now: Milliseconds on any clock that never goes back; the same one as in `receive(_:now:)`.
    /// - Throws: `HTTP2Error` when memory is short.
    public init(settings: HTTP2Settings, limits: HTTP2Limits = HTTP2Limits(), now: Int64 = 0) throws(HTTP2Error) {
        sink = .allocate(capacity: 1)
        sink.initialize(to: EventSink(settings: settings, limits: limits, now: now))
        streamLimitsToAnnounce = [settings.maximumConcurrentStreams]
        var options: OpaquePointer?
        try HTTP2Error.check(Int(nghttp2_option_new(&options)))
        defer { nghttp2_option_del(options) }
        nghttp2_option_set_no_http_messaging(options, 1)  // it sees no fields; `RequestFields` judges them
        nghttp2_option_set_no_closed_streams(options, 1)  // no priority tree of the dead: PRIORITY is ignored
        // Debian's nghttp2 counts reads, not frames: one header block that trickles in looks like a flood of eight. The limiter
        // counts both, and resets as well: nghttp2 would answer them with INTERNAL_ERROR.
        nghttp2_option_set_max_continuations(options, .max)
        nghttp2_option_set_stream_reset_rate_limit(options, .max, .max)
        let callbacks = try Callbacks()  // copied by nghttp2
        var session: OpaquePointer?
        let context = UnsafeMutableRawPointer(sink)  // outlives `session`
        try HTTP2Error.check(Int(nghttp2_session_server_new2(&session, callbacks.pointer, context, options)))
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

    /// Decodes what arrived into events, which `nextEvent()` hands out.
    /// - Parameter now: Milliseconds; it need not be newer than a second.
    /// - Throws: `HTTP2Error` when the connection must close; a GOAWAY that says why is queued where there can be one.
    public func receive(_ bytes: RawSpan, now: Int64 = 0) throws(HTTP2Error) {
        guard !isEnded else { return }
        sink.pointee.now = now
        let held = sink.pointee.splitter.takeHeld()
        let (status, refusal) = bytes.withUnsafeBytes { bytes in
            held.isEmpty ? take(bytes) : (held + bytes).withUnsafeBytes { take($0) }
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
        case .streamIdentifier: try end(.protocolError, reason: "a stream identifier lower than an earlier one")
        case .endedStream: try end(.streamClosed, reason: "a frame on a stream that the client had ended")
        case nil: break
        }
    }

    /// Takes out the oldest event. After an `.attack` nothing follows: close once the output has left.
    public func nextEvent() -> HTTP2Event? { sink.pointee.next() }

    /// Gives nghttp2 the frames without their header blocks.
    private func take(_ bytes: UnsafeRawBufferPointer) -> (status: Int, refusal: RapidResetLimiter.Refusal?) {
        withUnsafeTemporaryAllocation(byteCount: bytes.count, alignment: 1) { room in
            let (frames, refusal) = sink.pointee.split(bytes, room)
            let bytes = frames.bindMemory(to: UInt8.self)
            return (nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count), refusal)
        }
    }

    /// Ends the connection with GOAWAY for one of the reasons that are counted; nothing more is read.
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

    /// Appends the frames that are ready to leave.
    /// - Throws: `HTTP2Error` when memory is short.
    public func takeOutput(into output: inout [UInt8]) throws(HTTP2Error) {
        while true {
            var frame: UnsafePointer<UInt8>?
            let count = try HTTP2Error.check(nghttp2_session_mem_send(session, &frame))
            guard count > 0, let frame else { return }
            let offset = output.count
            output.append(contentsOf: UnsafeBufferPointer(start: frame, count: count))
            appendFields(to: &output, frameAt: offset)
            let isSettings = frame[3] == UInt8(NGHTTP2_SETTINGS.rawValue) && frame[4] == 0
            if isSettings {
                sentSettings &+= 1
                announceLimits(in: &output, frameAt: offset, byteCount: count)
            }
            if frame[3] == UInt8(NGHTTP2_GOAWAY.rawValue) {
                if pingFollowsNotice {
                    pingFollowsNotice = false
                    noticeDebugData.withUnsafeBufferPointer { extend(&output, frameAt: offset, by: $0) }
                    try HTTP2Error.check(Int(nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)))
                }
                boundGoAway(in: &output, frameAt: offset)
            }
            if !sink.pointee.streamsToReset.isEmpty {
                try resetIfAnswered(output.withUnsafeBytes { FrameHeader($0, at: offset) })
            }
        }
    }

    /// Makes the last frame of the output longer.
    func extend(_ output: inout [UInt8], frameAt offset: Int, by bytes: UnsafeBufferPointer<UInt8>) {
        output.append(contentsOf: bytes)
        let length = output.count - offset - FrameHeader.byteCount
        output.withUnsafeMutableBytes { FrameHeader.write(length: length, to: $0, at: offset) }
    }

    /// Whether the connection has said all it will ever say or hear.
    public var isFinished: Bool {
        (isEnded || nghttp2_session_want_read(session) == 0) && nghttp2_session_want_write(session) == 0
    }

    /// Whether frames wait to leave.
    public var wantsOutput: Bool { nghttp2_session_want_write(session) != 0 }

    /// Streams that are open now.
    public var openStreamCount: Int { sink.pointee.slots.count }

    /// Frames that began to arrive.
    public var receivedFrameCount: UInt32 {
        let isAnother = sink.pointee.splitter.isHolding && !sink.pointee.limiter.isInsideBlock
        return sink.pointee.limiter.frameCount &+ (isAnother ? 1 : 0)
    }

    /// Whether a frame or a header block waits for its rest.
    public var isInsideFrame: Bool { sink.pointee.splitter.isInsideFrame || sink.pointee.limiter.isInsideBlock }

    /// SETTINGS that the peer acknowledged.
    public var acknowledgedSettingsCount: UInt32 { sink.pointee.acknowledgedSettings }

    /// Whether the peer has SETTINGS of ours to acknowledge.
    public var awaitsAcknowledgement: Bool { sentSettings != sink.pointee.acknowledgedSettings }

    /// Announces another limit in a SETTINGS frame and enforces it from now on.
    /// - Throws: `HTTP2Error` when memory is short.
    public func setStreamLimit(_ limit: UInt32) throws(HTTP2Error) {
        sink.pointee.streamLimit = limit
        streamLimitsToAnnounce.append(limit)
        try submit([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, Self.unenforcedStreamLimit)])
    }

    /// First step of a graceful end: the peer learns that it should open no more streams (RFC 9113 §6.8).
    /// A PING follows, so that `.pingAcknowledged` tells when the peer has seen it.
    /// - Parameter debugData: The reason; some clients read it in the first GOAWAY only.
    public func submitShutdownNotice(debugData: [UInt8]) throws(HTTP2Error) {
        try HTTP2Error.check(Int(nghttp2_submit_shutdown_notice(session)))
        pingFollowsNotice = true
        noticeDebugData = debugData
    }

    /// Ends the connection with GOAWAY; streams up to the last one seen may still finish.
    /// - Parameters:
    ///   - lastStream: Streams above it were not processed; `nil` for the last one seen.
    ///   - debugData: What the frame carries for people, such as `{"reason":"Shutdown"}`.
    public func submitGoAway(
        _ code: HTTP2ErrorCode, lastStream: Int32? = nil, debugData: [UInt8]
    ) throws(HTTP2Error) {
        let last = min(lastStream ?? nghttp2_session_get_last_proc_stream_id(session), sink.pointee.lastStream)
        // What is read before the frame leaves is bound by it, too.
        sink.pointee.lastStream = last
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try HTTP2Error.check(
            Int(nghttp2_submit_goaway(session, flags, last, code.number, debugData, debugData.count)))
    }

    /// Ends one stream at once.
    public func reset(stream: Int32, _ code: HTTP2ErrorCode) throws(HTTP2Error) {
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try HTTP2Error.check(Int(nghttp2_submit_rst_stream(session, flags, stream, code.number)))
    }

    /// The limit nghttp2 is told. It answers a surplus stream by closing the connection; APNs refuses just that stream.
    private static let unenforcedStreamLimit: UInt32 = 0x7fff_ffff

    /// The table that nghttp2 is told, in which it puts nothing.
    private static let unusedHeaderTableSize: UInt32 = 4096

    func submit(_ entries: [(nghttp2_settings_id, UInt32)]) throws(HTTP2Error) {
        let entries = entries.map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let flags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        try HTTP2Error.check(Int(nghttp2_submit_settings(session, flags, entries, entries.count)))
    }

    private func resetIfAnswered(_ frame: FrameHeader) throws(HTTP2Error) {
        guard frame.endsStream, sink.pointee.streamsToReset.remove(frame.stream) != nil else { return }
        try reset(stream: frame.stream, .noError)
    }

    /// Writes the real stream limit and table size over nghttp2's in a SETTINGS frame about to leave.
    private func announceLimits(in output: inout [UInt8], frameAt offset: Int, byteCount: Int) {
        for entry in stride(from: offset + FrameHeader.byteCount, to: offset + byteCount, by: 6) {
            let value: UInt32
            switch UInt32(output[entry]) << 8 | UInt32(output[entry + 1]) {
            case NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue: value = streamLimitsToAnnounce.removeFirst()
            case NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue: value = sink.pointee.settings.headerTableSize
            default: continue
            }
            for byte in 0..<4 { output[entry + 2 + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
        }
    }
}
