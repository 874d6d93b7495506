internal import CNghttp2
internal import DequeModule
internal import Wire

/// Where nghttp2's callbacks put what they saw; the session hands it on once nghttp2 has returned.
///
/// A struct in memory that the session allocates, not a class: nghttp2 calls back some fifteen times per request, and
/// reference counts and exclusivity checks would cost a tenth of the whole server.
struct EventSink: ~Copyable {
    let settings: HTTP2Settings
    /// Streams a peer may have open now. We enforce it ourselves, so that a surplus stream is refused and the connection lives.
    var streamLimit: UInt32
    /// No stream above this one is processed, as a GOAWAY says so; it only shrinks (RFC 9113 §6.8).
    var lastStream = Int32.max
    var slots = StreamSlots()
    var limiter: RapidResetLimiter
    /// Milliseconds on the caller's clock, as of the bytes that are being read.
    var now: Int64
    /// SETTINGS of ours that the peer acknowledged.
    var acknowledgedSettings: UInt32 = 0
    /// The fields of the answer whose HEADERS frame leaves now.
    var leavingFields: [UInt8] = []
    /// Streams answered before their request ended; each is reset once its answer has left (RFC 9113 §8.1).
    var streamsToReset: Set<Int32> = []
    /// The widest window that an open stream had before the SETTINGS frame that is being read.
    var widestWindow: Int32 = 0
    /// SETTINGS made a window wider than there can be.
    private(set) var isWindowOverflown = false
    /// SETTINGS_INITIAL_WINDOW_SIZE of the peer.
    private var initialWindow: Int64 = 65535
    var splitter: FrameSplitter
    /// The bytes that were split last, while nghttp2 reads their frames.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var decoder = HPACKDecoder()
    /// Of the header block that is being decoded, of whatever stream.
    private(set) var fields: RequestFields
    /// How the last header block ended.
    private(set) var blockEnd = HPACKDecoder.End.complete
    private var events = UniqueDeque<HTTP2Event>()
    /// Room for so many events is kept from one read to the next.
    private static let keptRoom = 32
    /// The stream whose request's fields come; 0 when they are of no interest (trailers, refused streams).
    private var collectingStream: Int32 = 0

    init(settings: HTTP2Settings, limits: HTTP2Limits, now: Int64) {
        self.settings = settings
        self.now = now
        limiter = RapidResetLimiter(limits: limits, now: now)
        splitter = FrameSplitter(settings: settings, limits: limits)
        fields = RequestFields(
            maximumByteCount: limits.headerBlockByteCount, maximumListSize: Int(settings.maximumHeaderListSize))
        streamLimit = settings.maximumConcurrentStreams
    }

    /// Recovers the sink in a callback. The session owns the memory and outlives every callback.
    static func from(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<EventSink> {
        context!.assumingMemoryBound(to: EventSink.self)
    }

    mutating func append(_ event: consuming HTTP2Event) { events.append(event) }

    /// Takes out the oldest event.
    mutating func next() -> HTTP2Event? {
        if let event = events.popFirst() { return event }
        if events.capacity > Self.keptRoom { events = UniqueDeque() }
        return nil
    }

    /// Notes a new SETTINGS_INITIAL_WINDOW_SIZE.
    ///
    /// A window over 2³¹ - 1 is an error of the connection (RFC 9113 §6.9.2); nghttp2 resets the stream.
    /// - Returns: Whether every open stream's window stays within bounds.
    mutating func takesInitialWindow(_ size: UInt32) -> Bool {
        let widest = Int64(widestWindow) + Int64(size) - initialWindow
        isWindowOverflown = widest > Int32.max
        widestWindow = Int32(clamping: max(0, widest))
        initialWindow = Int64(size)
        return !isWindowOverflown
    }

    /// The peer acknowledged SETTINGS.
    mutating func settingsAcknowledged() {
        if acknowledgedSettings == 0 { decoder.setMaximumTableSize(Int(settings.headerTableSize)) }
        acknowledgedSettings &+= 1
    }

    /// Splits what arrived; the result lasts as long as both buffers.
    mutating func split(
        _ bytes: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer
    ) -> (frames: UnsafeRawBufferPointer, refusal: RapidResetLimiter.Refusal?) {
        input = bytes
        return splitter.split(bytes, room, &limiter, now: now)
    }

    /// A HEADERS or CONTINUATION frame begins: of a request, or of trailers.
    /// - Returns: Whether decoding goes on.
    mutating func beginBlock(isContinued: Bool) -> Bool {
        if !isContinued {
            fields.removeAll()
            collectingStream = 0
            decoder.beginBlock()
        }
        guard let part = splitter.takePart() else { return true }
        let bytes = UnsafeRawBufferPointer(rebasing: input[part.range])
        blockEnd = decoder.decode(bytes, isLast: part.endsBlock, into: &fields)
        return blockEnd == .complete
    }

    /// - Returns: Whether the stream is within the limit.
    mutating func beginHeaders(stream: Int32) -> Bool {
        guard slots.count < Int(streamLimit), stream <= lastStream else {
            append(.streamRefused(stream: stream))
            return false
        }
        collectingStream = stream
        return true
    }

    /// Whether a stream is the one whose request's fields came.
    func isCollecting(_ stream: Int32) -> Bool { stream == collectingStream }

    /// The header block of a new stream is complete, and makes a request.
    /// - Returns: The stream's slot; `nil` when the request ends without the body that it announced.
    mutating func endHeaders(stream: Int32, endsStream: Bool) -> Int? {
        guard fields.isRequest, !endsStream || fields.contentLength ?? 0 == 0 else { return nil }
        collectingStream = 0
        let slot = slots.open(stream: stream, since: now)
        slots.all[slot].uniqueNames = fields.unique
        slots.all[slot].contentLength = fields.contentLength
        // Refused at its end like any other: clients that still send may overlook an answer that a reset follows.
        slots.all[slot].isOversized = fields.isTooLarge
        let bodyCapacity = endsStream ? 0 : min(fields.contentLength ?? 0, settings.keptBodyByteCount)
        slots.all[slot].request = fields.takeBlock(bodyCapacity: bodyCapacity)
        if endsStream { dispatch(slot) }
        return slot
    }

    /// The trailers of a request are complete.
    /// - Returns: Whether they may be what they are.
    mutating func endTrailers(slot index: Int) -> Bool {
        guard fields.areTrailers(ofRequestWith: slots.all[index].uniqueNames) else { return false }
        slots.all[index].contentLength = slots.all[index].contentLength ?? fields.contentLength
        return true
    }

    /// A part of a request's body.
    /// - Returns: Whether it is within what `content-length` announced.
    mutating func body(slot index: Int, chunk: UnsafeRawBufferPointer) -> Bool {
        slots.all[index].bodyByteCount += chunk.count
        if let length = slots.all[index].contentLength, slots.all[index].bodyByteCount > length {
            slots.all[index].request = nil
            return false
        }
        let count = slots.all[index].request?.appendBody(chunk, limit: settings.keptBodyByteCount) ?? 0
        if count > settings.drainedBodyByteCount { dispatch(index) }
        return true
    }

    /// The HEADERS frame of an answer leaves; the stream may be gone when it has.
    mutating func sendHeaders(slot index: Int) {
        swap(&leavingFields, &slots.all[index].unsentFields)
    }

    /// The client ended its side of the stream.
    /// - Returns: Whether the body is as long as announced.
    mutating func endStream(slot index: Int) -> Bool {
        let byteCount = slots.all[index].bodyByteCount
        guard slots.all[index].contentLength ?? byteCount == byteCount else { return false }
        slots.all[index].isComplete = true
        dispatch(index)
        return true
    }

    /// - Returns: Whether an answer was due that can no longer be sent.
    mutating func closeStream(slot index: Int, errorCode: UInt32) -> Bool {
        if slots.all[index].isAnswered, errorCode == HTTP2ErrorCode.noError.number { limiter.payBack() }
        let isOrphaned = slots.all[index].isDispatched && !slots.all[index].isAnswered
        if !streamsToReset.isEmpty { streamsToReset.remove(slots.all[index].stream) }
        slots.remove(index)
        return isOrphaned
    }

    private mutating func dispatch(_ index: Int) {
        guard let block = slots.all[index].request.take() else { return }
        slots.all[index].isDispatched = true
        let stream = slots.all[index].stream
        append(
            slots.all[index].isOversized
                ? .headerListTooLarge(stream: stream) : .request(.init(stream: stream, block: block)))
    }
}
