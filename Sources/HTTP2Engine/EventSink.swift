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
    /// What the header block that is being decoded comes to, of whatever stream; RFC 9113 §6.5.2 says how it counts.
    private var blockListSize = 0
    private let blockListLimit: Int
    private var events = UniqueDeque<HTTP2Event>()
    /// Room for so many events is kept from one read to the next.
    private static let keptRoom = 32
    private var block = RequestBlockBuilder()
    var memo: AuthorizationMemo
    /// The stream whose header block is being decoded; 0 when its fields are of no interest (trailers, refused streams).
    private var collectingStream: Int32 = 0

    init(settings: HTTP2Settings, limits: HTTP2Limits, now: Int64) {
        self.settings = settings
        self.now = now
        memo = AuthorizationMemo(maximumFrameSize: Int(settings.maximumFrameSize))
        limiter = RapidResetLimiter(limits: limits, now: now)
        blockListLimit = limits.headerBlockByteCount
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

    /// Any header block begins: a request's, or trailers.
    mutating func beginBlock() {
        blockListSize = 0
        collectingStream = 0
    }

    /// - Returns: Whether the block is within what is decoded at all.
    mutating func count(nameByteCount: Int, valueByteCount: Int) -> Bool {
        blockListSize += nameByteCount + valueByteCount + memo.hiddenByteCount + 32
        return blockListSize <= blockListLimit
    }

    /// - Returns: Whether the stream is within the limit.
    mutating func beginHeaders(stream: Int32) -> Bool {
        guard slots.count < Int(streamLimit), stream <= lastStream else {
            append(.streamRefused(stream: stream))
            return false
        }
        collectingStream = stream
        block.removeAll()
        return true
    }

    mutating func header(stream: Int32, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let known = memo.value(insteadOf: value, isValid: true)
        guard stream == collectingStream, block.listSize <= Int(settings.maximumHeaderListSize) else { return }
        if let known {
            known.withUnsafeBytes { block.append(name: name, value: $0) }
        } else {
            block.append(name: name, value: value)
        }
    }

    /// nghttp2 drops a field.
    mutating func invalidHeader() {
        _ = memo.value(insteadOf: UnsafeRawBufferPointer(start: nil, count: 0), isValid: false)
    }

    /// The header block of a new stream is complete.
    /// - Returns: The stream's slot; `nil` when it was refused or its list is too large.
    mutating func endHeaders(stream: Int32, endsStream: Bool) -> Int? {
        guard stream == collectingStream else { return nil }
        collectingStream = 0
        let slot = slots.open(stream: stream, since: now)
        if block.listSize > Int(settings.maximumHeaderListSize) {
            // Refused at its end like any other: clients that still send may overlook an answer that a reset follows.
            slots.all[slot].isOversized = true
            block.removeAll()
        }
        let bodyCapacity = endsStream ? 0 : min(block.contentLength, settings.keptBodyByteCount)
        slots.all[slot].request = block.block(bodyCapacity: bodyCapacity)
        if endsStream { endStream(slot: slot) }
        return slot
    }

    mutating func body(slot index: Int, chunk: UnsafeRawBufferPointer) {
        let count = slots.all[index].request?.appendBody(chunk, limit: settings.keptBodyByteCount) ?? 0
        if count > settings.drainedBodyByteCount { dispatch(index) }
    }

    /// The HEADERS frame of an answer leaves; the stream may be gone when it has.
    mutating func sendHeaders(slot index: Int) {
        swap(&leavingFields, &slots.all[index].unsentFields)
    }

    /// The client ended its side of the stream.
    mutating func endStream(slot index: Int) {
        slots.all[index].isComplete = true
        dispatch(index)
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
