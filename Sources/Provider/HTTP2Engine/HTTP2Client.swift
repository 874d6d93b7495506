internal import CNghttp2

/// The client's side of one HTTP/2 connection without I/O: requests in, answers out.
///
/// - Note: Not `Sendable`; the event loop of its connection owns it.
package final class HTTP2Client {
    package enum Event: Sendable {
        /// The server's first SETTINGS arrived.
        case ready
        case answered(stream: Int32, Answer)
        /// The stream ended without a whole answer (RFC 9113 §7).
        case failed(stream: Int32, errorCode: UInt32)
        case goAway(debugData: [UInt8])
    }

    package struct Answer: Sendable {
        package var status = 0
        package var body: [UInt8] = []
    }

    private let session: OpaquePointer
    private let sink = ClientSink()

    package init() throws(HTTP2Error) {
        var callbacks: OpaquePointer?
        try HTTP2Error.check(nghttp2_session_callbacks_new(&callbacks))
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _, frame, name, nameCount, value, count, _, context in
            let (name, value) = (
                UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: count)
            )
            if name.elementsEqual(":status".utf8) {
                let status = Int(String(decoding: value, as: UTF8.self)) ?? 0
                ClientSink.from(context).answers[frame!.pointee.hd.stream_id] = Answer(status: status)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, context in
            ClientSink.from(context).append(UnsafeBufferPointer(start: bytes, count: count), to: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
            ClientSink.from(context).received(frame!)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, errorCode, context in
            ClientSink.from(context).closed(stream, errorCode)
            return 0
        }
        var session: OpaquePointer?
        let context = Unmanaged.passUnretained(sink).toOpaque()  // `sink` outlives `session`
        try HTTP2Error.check(nghttp2_session_client_new(&session, callbacks, context))
        self.session = session!
        let noPush = nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
        try HTTP2Error.check(nghttp2_submit_settings(self.session, noFlags, [noPush], 1))
    }

    deinit { nghttp2_session_del(session) }

    /// Queues a request; it waits while the server's limit of streams is reached.
    /// - Returns: Its stream.
    package func send(_ fields: [(name: String, value: String)], body: [UInt8]) throws(HTTP2Error) -> Int32 {
        var bytes = fields.flatMap { Array($0.name.utf8) + Array($0.value.utf8) }
        let stream = bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress!
            let entries = fields.map { name, value in
                defer { start += name.utf8.count + value.utf8.count }
                return nghttp2_nv(
                    name: start, value: start + name.utf8.count, namelen: name.utf8.count, valuelen: value.utf8.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
            }
            var provider = nghttp2_data_provider(source: nghttp2_data_source(fd: 0)) {
                _, stream, target, room, flags, _, context in
                ClientSink.from(context).fill(target!, room, flags!, of: stream)
            }
            return withUnsafePointer(to: &provider) { provider in
                nghttp2_submit_request(session, nil, entries, entries.count, body.isEmpty ? nil : provider, nil)
            }
        }
        try HTTP2Error.check(stream)
        sink.bodies[stream] = body[...]
        return stream
    }

    package func receive(_ bytes: RawSpan) throws(HTTP2Error) -> [Event] {
        let count = bytes.withUnsafeBytes {
            nghttp2_session_mem_recv(session, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        try HTTP2Error.check(count)
        defer { sink.events = [] }
        return sink.events
    }

    package func takeOutput() throws(HTTP2Error) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            var bytes: UnsafePointer<UInt8>?
            let count = try HTTP2Error.check(nghttp2_session_mem_send(session, &bytes))
            guard count > 0 else { return output }
            output.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// Whether nothing more is read or sent: after a GOAWAY of either side, and its last stream.
    package var isFinished: Bool {
        nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    package func cancel(_ stream: Int32) throws(HTTP2Error) {
        try HTTP2Error.check(
            nghttp2_submit_rst_stream(session, noFlags, stream, UInt32(NGHTTP2_CANCEL.rawValue)))
    }
}

/// Collects what nghttp2's callbacks report.
private final class ClientSink {
    var events: [HTTP2Client.Event] = []
    var answers: [Int32: HTTP2Client.Answer] = [:]
    /// The unsent part of each request's body.
    var bodies: [Int32: ArraySlice<UInt8>] = [:]
    private var isReady = false

    /// A reason takes a few dozen bytes; the rest of a longer body is dropped.
    private static let bodyByteCount = 8192

    static func from(_ context: UnsafeMutableRawPointer?) -> ClientSink {
        Unmanaged<ClientSink>.fromOpaque(context!).takeUnretainedValue()
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>, to stream: Int32) {
        let room = Self.bodyByteCount - (answers[stream]?.body.count ?? 0)
        answers[stream]?.body.append(contentsOf: bytes.prefix(max(0, room)))
    }

    func received(_ frame: UnsafePointer<nghttp2_frame>) {
        switch nghttp2_frame_type(UInt32(frame.pointee.hd.type)) {
        case NGHTTP2_SETTINGS where !isReady:
            isReady = true
            events.append(.ready)
        case NGHTTP2_GOAWAY:
            let goAway = frame.pointee.goaway
            let debugData = UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
            events.append(.goAway(debugData: Array(debugData)))
        default: break
        }
    }

    func closed(_ stream: Int32, _ errorCode: UInt32) {
        bodies[stream] = nil
        if let answer = answers.removeValue(forKey: stream), answer.status >= 200, errorCode == 0 {
            events.append(.answered(stream: stream, answer))
        } else {
            events.append(.failed(stream: stream, errorCode: errorCode))
        }
    }

    func fill(
        _ target: UnsafeMutablePointer<UInt8>, _ room: Int, _ flags: UnsafeMutablePointer<UInt32>, of stream: Int32
    ) -> Int {
        let chunk = bodies[stream]?.prefix(room) ?? []
        chunk.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: target, count: room).copyMemory(from: $0) }
        bodies[stream]?.removeFirst(chunk.count)
        if bodies[stream]?.isEmpty != false { flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
        return chunk.count
    }
}
