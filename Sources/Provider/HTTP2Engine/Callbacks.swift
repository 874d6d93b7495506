internal import CNghttp2

/// The nghttp2 callbacks of a session: each recovers the sink and records an event.
/// None throws, logs or calls nghttp2's send or receive.
struct Callbacks: ~Copyable {
    let pointer: OpaquePointer

    init() throws(HTTP2Error) {
        var callbacks: OpaquePointer?
        try HTTP2Error.check(nghttp2_session_callbacks_new(&callbacks))
        pointer = callbacks!
        nghttp2_session_callbacks_set_on_begin_frame_callback(pointer, onBeginFrame)
        nghttp2_session_callbacks_set_on_begin_headers_callback(pointer, onBeginHeaders)
        nghttp2_session_callbacks_set_on_frame_recv_callback(pointer, onFrameReceived)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(pointer, onDataChunk)
        nghttp2_session_callbacks_set_on_frame_send_callback(pointer, onFrameSent)
        nghttp2_session_callbacks_set_on_stream_close_callback(pointer, onStreamClosed)
    }

    deinit { nghttp2_session_callbacks_del(pointer) }
}

/// Reads a frame's parts in place; `pointee` of the union would copy all of it, fifteen times per request.
extension UnsafePointer<nghttp2_frame> {
    fileprivate var header: UnsafePointer<nghttp2_frame_hd> { part() }
    fileprivate var headers: UnsafePointer<nghttp2_headers> { part() }
    fileprivate var settings: UnsafePointer<nghttp2_settings> { part() }
    fileprivate var goAway: UnsafePointer<nghttp2_goaway> { part() }

    fileprivate var isRequestHeaders: Bool {
        header.pointee.type == UInt8(NGHTTP2_HEADERS.rawValue) && headers.pointee.cat == NGHTTP2_HCAT_REQUEST
    }

    private func part<Part>() -> UnsafePointer<Part> { UnsafeRawPointer(self).assumingMemoryBound(to: Part.self) }
}

/// Asks nghttp2 only when the last lookup was for another stream.
func slot(of stream: Int32, in session: OpaquePointer?, _ sink: UnsafeMutablePointer<EventSink>) -> Int? {
    if let recent = sink.pointee.slots.recent(stream) { return recent }
    guard let data = nghttp2_session_get_stream_user_data(session, stream) else { return nil }
    let slot = Int(bitPattern: data) - 1
    sink.pointee.slots.latest = slot
    return slot
}

/// Decodes header blocks, and records the widest window before SETTINGS changes it.
private func onBeginFrame(
    session: OpaquePointer?, header: UnsafePointer<nghttp2_frame_hd>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    let sink = EventSink.from(context)
    switch header!.pointee.type {
    case FrameHeader.headers: return sink.pointee.beginBlock(isContinued: false) ? 0 : endsDecoding
    case FrameHeader.continuation: return sink.pointee.beginBlock(isContinued: true) ? 0 : endsDecoding
    case UInt8(NGHTTP2_SETTINGS.rawValue) where header!.pointee.length > 0: break
    default: return 0
    }
    sink.pointee.widestWindow = 0
    for index in sink.pointee.slots.indices where sink.pointee.slots.all[index].stream != 0 {
        let window = nghttp2_session_get_stream_remote_window_size(session, sink.pointee.slots.all[index].stream)
        sink.pointee.widestWindow = max(sink.pointee.widestWindow, window)
    }
    return 0
}

private func onBeginHeaders(
    session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    let sink = EventSink.from(context)
    guard let frame else { return 0 }
    let stream = frame.header.pointee.stream_id
    guard frame.isRequestHeaders else { return 0 }
    if sink.pointee.beginHeaders(stream: stream) { return 0 }
    return refuse(stream, in: session, NGHTTP2_REFUSED_STREAM)
}

/// Stops decoding at once; the session sends GOAWAY: invalid HPACK, a block over the limit, or a window overflow.
private let endsDecoding = Int32(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue)

/// Resets a stream; by default one whose request is malformed (RFC 9113 §8.1.1).
private func refuse(
    _ stream: Int32, in session: OpaquePointer?, _ code: nghttp2_error_code = NGHTTP2_PROTOCOL_ERROR
) -> Int32 {
    nghttp2_submit_rst_stream(session, noFlags, stream, code.rawValue)
}

private func onFrameReceived(
    session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    let frame = frame!
    let sink = EventSink.from(context)
    let header = frame.header.pointee
    let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    switch nghttp2_frame_type(UInt32(header.type)) {
    case NGHTTP2_HEADERS where frame.isRequestHeaders:
        guard sink.pointee.isCollecting(header.stream_id) else { return 0 }
        guard let slot = sink.pointee.endHeaders(stream: header.stream_id, endsStream: endsStream) else {
            return refuse(header.stream_id, in: session)
        }
        nghttp2_session_set_stream_user_data(session, header.stream_id, UnsafeMutableRawPointer(bitPattern: slot + 1))
    case NGHTTP2_HEADERS, NGHTTP2_DATA:  // HEADERS: trailers
        let isTrailers = header.type == FrameHeader.headers
        guard endsStream || isTrailers, let slot = slot(of: header.stream_id, in: session, sink) else { return 0 }
        let isValid = endsStream && (!isTrailers || sink.pointee.endTrailers(slot: slot))
        guard isValid, sink.pointee.endStream(slot: slot) else { return refuse(header.stream_id, in: session) }
    case NGHTTP2_SETTINGS where header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0:
        let entries = UnsafeBufferPointer(start: frame.settings.pointee.iv, count: frame.settings.pointee.niv)
        sink.pointee.append(
            .settings(
                entries.map { HTTP2Setting(identifier: UInt16(truncatingIfNeeded: $0.settings_id), value: $0.value) }))
        for entry in entries where entry.settings_id == NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue {
            guard sink.pointee.applyInitialWindow(entry.value) else { return endsDecoding }
        }
    case NGHTTP2_SETTINGS: sink.pointee.settingsAcknowledged()
    case NGHTTP2_PING:
        sink.pointee.append(header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 ? .ping : .pingAcknowledged)
    case NGHTTP2_GOAWAY: sink.pointee.append(.goAway(errorCode: frame.goAway.pointee.error_code))
    default: break
    }
    return 0
}

private func onDataChunk(
    session: OpaquePointer?, flags: UInt8, stream: Int32, bytes: UnsafePointer<UInt8>?, count: Int,
    context: UnsafeMutableRawPointer?
) -> Int32 {
    let sink = EventSink.from(context)
    guard let slot = slot(of: stream, in: session, sink) else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: count)
    return sink.pointee.body(slot: slot, chunk: chunk) ? 0 : refuse(stream, in: session)
}

private func onFrameSent(
    session: OpaquePointer?, frame: UnsafePointer<nghttp2_frame>?, context: UnsafeMutableRawPointer?
) -> Int32 {
    let header = frame!.header.pointee
    let sink = EventSink.from(context)
    if header.type == UInt8(NGHTTP2_HEADERS.rawValue), let slot = slot(of: header.stream_id, in: session, sink) {
        sink.pointee.sendHeaders(slot: slot)
    }
    return 0
}

private func onStreamClosed(
    session: OpaquePointer?, stream: Int32, errorCode: UInt32, context: UnsafeMutableRawPointer?
) -> Int32 {
    let sink = EventSink.from(context)
    if let slot = slot(of: stream, in: session, sink), sink.pointee.closeStream(slot: slot, errorCode: errorCode) {
        sink.pointee.append(.streamClosed(stream: stream, errorCode: errorCode))
    }
    return 0
}
