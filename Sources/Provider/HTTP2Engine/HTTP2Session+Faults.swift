internal import CNghttp2
public import RequestWire

/// Actions of the server that only fault rules request.
extension HTTP2Session {
    /// Releases the next DATA frame of a paced answer.
    /// - Parameter now: Milliseconds; the peer's time to accept the frame starts here.
    /// - Returns: Whether more of the body remains.
    public func releaseBody(of stream: Int32, now: Int64) throws(HTTP2Error) -> Bool {
        guard let index = slot(of: stream, in: session, sink) else { return false }
        guard let released = sink.pointee.slots.all[index].releasedFrames else { return false }
        // A frame released earlier and not sent yet keeps its start time.
        if released == 0 { sink.pointee.slots.all[index].since = now }
        sink.pointee.slots.all[index].releasedFrames = released + 1
        let waiting = sink.pointee.slots.all[index].unsentBody.count
        let status = nghttp2_session_resume_data(session, stream)
        // The previous frame still waits for the socket or a window, so nothing is deferred.
        if status != NGHTTP2_ERR_INVALID_ARGUMENT.rawValue { try HTTP2Error.check(status) }
        return waiting > sink.pointee.slots.all[index].frameByteCount
    }

    public func openStreamCount(upTo last: Int32) -> Int {
        sink.pointee.slots.indices.count { index in
            let stream = sink.pointee.slots.all[index].stream
            return stream != 0 && stream <= last
        }
    }

    public func isOpen(_ stream: Int32) -> Bool { stream != 0 && slot(of: stream, in: session, sink) != nil }

    /// Resets every new stream with REFUSED_STREAM, without announcing a limit.
    public func refuseNewStreams() { sink.pointee.streamLimit = 0 }

    /// Requests on higher streams are ignored. `Int32.max` before a GOAWAY.
    public var lastStream: Int32 { sink.pointee.lastStream }

    /// A GOAWAY frame that bypasses nghttp2, so that the session continues.
    /// From now on no stream above `lastStream` is processed; it is capped at that of earlier frames.
    public func announceGoAway(_ code: UInt32, lastStream: Int32, debugData: [UInt8]) -> [UInt8] {
        sink.pointee.lastStream = min(sink.pointee.lastStream, lastStream)
        let goAway = SentGoAway(code: code, lastStream: sink.pointee.lastStream, debugData: debugData)
        sentGoAways.append(goAway)
        return Self.goAwayFrame(code, lastStream: goAway.lastStream, debugData: debugData)
    }

    public func takeSentGoAways() -> [SentGoAway] {
        defer { sentGoAways = [] }
        return sentGoAways
    }

    /// Caps the last-stream-id of an outgoing GOAWAY at that of earlier ones, and enforces it from now on.
    func boundGoAway(in output: inout [UInt8], frameAt offset: Int) {
        let payload = offset + FrameHeader.byteCount
        let (announced, code) = output.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: payload, as: (UInt32, UInt32).self)
        }
        let last = min(Int32(bitPattern: UInt32(bigEndian: announced) & 0x7fff_ffff), sink.pointee.lastStream)
        sink.pointee.lastStream = last
        output.replaceSubrange(payload..<payload + 4, with: UInt32(last).bigEndianBytes)
        var goAway = SentGoAway(
            code: UInt32(bigEndian: code), lastStream: last, debugData: Array(output[(payload + 8)...]))
        // Those of fault rules bypass nghttp2, and a stop has no error.
        goAway.isViolation = goAway.code != HTTP2ErrorCode.noError.number
        sentGoAways.append(goAway)
    }

    /// A RST_STREAM frame for a stream that the session has already closed.
    public static func resetFrame(_ stream: Int32, _ code: HTTP2ErrorCode) -> [UInt8] {
        [0, 0, 4, FrameHeader.reset, 0] + UInt32(bitPattern: stream).bigEndianBytes + code.number.bigEndianBytes
    }

    /// Announces how many body bytes a stream may send before WINDOW_UPDATE; 0 blocks every body.
    public func setInitialWindow(_ byteCount: UInt32) throws(HTTP2Error) {
        try submit([(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, byteCount)])
    }

    /// - Parameter frame: A WINDOW_UPDATE. Once it is dropped, nghttp2's windows are wider than those that the client knows.
    func isStarved(_ frame: UnsafePointer<UInt8>) -> Bool {
        let isOfConnection = (5..<9).allSatisfy { frame[$0] == 0 }
        return starvedWindow == (isOfConnection ? .connection : .streams)
    }

    /// RFC 9113 §6.8.
    public static func goAwayFrame(_ code: UInt32, lastStream: Int32, debugData: [UInt8]) -> [UInt8] {
        let length = UInt32(8 + debugData.count).bigEndianBytes.dropFirst()
        let payload = UInt32(bitPattern: lastStream).bigEndianBytes + code.bigEndianBytes + debugData
        return length + [FrameHeader.goAway, 0, 0, 0, 0, 0] + payload
    }
}

public struct SentGoAway: Sendable, Hashable {
    /// The error code of RFC 9113 §7.
    public var code: UInt32
    public var lastStream: Int32
    public var debugData: [UInt8]
    /// Whether the session ends because of what the client sent; false for a GOAWAY that a fault rule or a stop sends.
    public internal(set) var isViolation = false

    /// The reason for HEADERS that arrive out of order (RFC 9113 §5.1.1).
    public static let streamOrder = "a stream identifier lower than an earlier one"

    public init(code: UInt32, lastStream: Int32, debugData: [UInt8]) {
        self.code = code
        self.lastStream = lastStream
        self.debugData = debugData
    }
}
