internal import CNghttp2
internal import DequeModule
internal import HPACK
internal import RequestWire

/// Collects what nghttp2's callbacks report; the session reads it after nghttp2 has returned.
///
/// A struct in memory that the session allocates, not a class: nghttp2 calls back some fifteen times per request, and
/// reference counting and exclusivity checks would cost a tenth of the whole server.
struct EventSink: ~Copyable {
    let settings: HTTP2Settings
    /// Enforced here, not by nghttp2, so that a surplus stream is refused and the connection survives.
    var streamLimit: UInt32
    /// Streams above it are not processed, as our GOAWAY says; it only decreases (RFC 9113 §6.8).
    var lastStream = Int32.max
    /// What the current read may open: `streamLimit` and `lastStream` as it began. Answers during the read make no room,
    /// because the client sent all of it before it could see them.
    private var admitted: (streamCount: Int, lastStream: Int32)
    var frameBuffer = FrameBuffer()
    var slots = StreamSlots()
    var limiter: FrameLimiter
    /// Milliseconds on the caller's clock, as of the current read.
    var now: Int64
    var acknowledgedSettings: UInt32 = 0
    var leavingFields: [UInt8] = []
    /// Streams answered before their request ended; each is reset after its answer is sent (RFC 9113 §8.1).
    var streamsToReset: Set<Int32> = []
    /// The widest window of an open stream before the current SETTINGS frame.
    var widestWindow: Int32 = 0
    private(set) var isWindowOverflown = false
    private var initialWindow: Int64 = 65535
    var splitter: FrameSplitter
    /// The bytes split last, valid while nghttp2 reads their frames.
    var input = UnsafeRawBufferPointer(start: nil, count: 0)
    private var decoder = HPACKDecoder()
    private(set) var fields: RequestFields
    private(set) var blockEnd = HPACKDecoder.End.complete
    private var events = UniqueDeque<HTTP2Event>()
    /// Event capacity retained between reads.
    private static let retainedCapacity = 32
    /// The stream whose request fields are being decoded; 0 for trailers and refused streams.
    private var collectingStream: Int32 = 0

    init(settings: HTTP2Settings, limits: HTTP2Limits, now: Int64) {
        self.settings = settings
        self.now = now
        limiter = FrameLimiter(limits: limits, now: now)
        splitter = FrameSplitter(settings: settings, limits: limits)
        fields = RequestFields(
            maximumByteCount: limits.headerBlockByteCount, maximumListSize: Int(settings.maximumHeaderListSize))
        streamLimit = settings.maximumConcurrentStreams
        admitted = (Int(streamLimit), lastStream)
    }

    mutating func beginRead(now: Int64) {
        self.now = now
        admitted = (Int(streamLimit), lastStream)
        limiter.beginRead()
    }

    /// The session owns the memory and outlives every callback.
    static func from(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<EventSink> {
        context!.assumingMemoryBound(to: EventSink.self)
    }

    mutating func append(_ event: consuming HTTP2Event) { events.append(event) }

    mutating func next() -> HTTP2Event? {
        if let event = events.popFirst() { return event }
        if events.capacity > Self.retainedCapacity { events = UniqueDeque() }
        return nil
    }

    /// - Returns: False when a window exceeds 2³¹ - 1: a connection error (RFC 9113 §6.9.2); nghttp2 resets the stream.
    mutating func applyInitialWindow(_ size: UInt32) -> Bool {
        let widest = Int64(widestWindow) + Int64(size) - initialWindow
        isWindowOverflown = widest > Int32.max
        widestWindow = Int32(clamping: max(0, widest))
        initialWindow = Int64(size)
        return !isWindowOverflown
    }

    mutating func settingsAcknowledged() {
        if acknowledgedSettings == 0 { decoder.setMaximumTableSize(Int(settings.headerTableSize)) }
        acknowledgedSettings &+= 1
    }

    /// The result is valid as long as both buffers.
    mutating func split(
        _ bytes: UnsafeRawBufferPointer, _ room: UnsafeMutableRawBufferPointer
    ) -> (frames: UnsafeRawBufferPointer, refusal: FrameLimiter.Refusal?) {
        input = bytes
        return splitter.split(bytes, room, &limiter, now: now)
    }

    /// - Returns: False when decoding must stop.
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

    mutating func beginHeaders(stream: Int32) -> Bool {
        guard slots.count < admitted.streamCount, stream <= admitted.lastStream else {
            append(.streamRefused(stream: stream))
            return false
        }
        collectingStream = stream
        return true
    }

    func isCollecting(_ stream: Int32) -> Bool { stream == collectingStream }

    /// - Returns: The new stream's slot; `nil` when the fields make no request, or the body they announce is missing.
    mutating func endHeaders(stream: Int32, endsStream: Bool) -> Int? {
        guard fields.isRequest, !endsStream || fields.contentLength ?? 0 == 0 else { return nil }
        collectingStream = 0
        let slot = slots.open(stream: stream, since: now)
        slots.all[slot].uniqueNames = fields.unique
        slots.all[slot].contentLength = fields.contentLength
        // Refused at its end: a client that is still sending may overlook an answer followed by a reset.
        slots.all[slot].isOversized = fields.isTooLarge
        // At most 64 KiB, as the client has only announced them: a longer body grows as it arrives.
        let bodyCapacity = endsStream ? 0 : min(fields.contentLength ?? 0, settings.keptBodyByteCount, 65_536)
        slots.all[slot].request = fields.takeBlock(bodyCapacity: bodyCapacity)
        if endsStream { dispatch(slot) }
        return slot
    }

    mutating func endTrailers(slot index: Int) -> Bool {
        guard fields.areTrailers(ofRequestWith: slots.all[index].uniqueNames) else { return false }
        slots.all[index].contentLength = slots.all[index].contentLength ?? fields.contentLength
        return true
    }

    /// - Returns: False when the body exceeds `content-length`.
    mutating func body(slot index: Int, chunk: UnsafeRawBufferPointer) -> Bool {
        slots.all[index].bodyByteCount += chunk.count
        if let length = slots.all[index].contentLength, slots.all[index].bodyByteCount > length {
            slots.all[index].request = nil
            return false
        }
        let count = slots.all[index].request?.appendBody(chunk, limit: settings.keptBodyByteCount) ?? 0
        if count > settings.drainedBodyByteCount {
            let announced = slots.all[index].contentLength
            slots.all[index].request?.announceBody(byteCount: announced)
            dispatch(index)
        }
        return true
    }

    /// Saves the answer's fields: the stream may be gone after its HEADERS frame is sent.
    mutating func sendHeaders(slot index: Int) { swap(&leavingFields, &slots.all[index].unsentFields) }

    /// - Returns: False when the body's length differs from `content-length`.
    mutating func endStream(slot index: Int) -> Bool {
        let byteCount = slots.all[index].bodyByteCount
        guard slots.all[index].contentLength ?? byteCount == byteCount else { return false }
        slots.all[index].isComplete = true
        dispatch(index)
        return true
    }

    /// - Returns: True when an answer was due and can no longer be sent.
    mutating func closeStream(slot index: Int, errorCode: UInt32) -> Bool {
        if slots.all[index].isAnswered, errorCode == NGHTTP2_NO_ERROR.rawValue {
            limiter.refund(answerTo: slots.all[index].stream)
            admitted.streamCount -= 1
        }
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
