internal import CNghttp2

/// What only a server does that misbehaves because it was asked to.
extension HTTP2Session {
    /// Lets the next DATA frame of a paced answer leave.
    /// - Parameter now: Milliseconds; from then on the peer has its time to take it.
    /// - Returns: Whether more of it waits.
    /// - Throws: `HTTP2Error` when memory is short.
    public func releaseBody(of stream: Int32, now: Int64) throws(HTTP2Error) -> Bool {
        guard let index = slot(of: stream, in: session, sink) else { return false }
        guard let released = sink.pointee.slots.all[index].releasedFrames else { return false }
        // A frame that could not leave yet has been waiting since it was released.
        if released == 0 { sink.pointee.slots.all[index].since = now }
        sink.pointee.slots.all[index].releasedFrames = released + 1
        let waiting = sink.pointee.slots.all[index].unsentBody.count
        let status = nghttp2_session_resume_data(session, stream)
        // The frame before waits for the socket or a window, so nothing sleeps.
        if status != NGHTTP2_ERR_INVALID_ARGUMENT.rawValue { try HTTP2Error.check(Int(status)) }
        return waiting > sink.pointee.slots.all[index].frameByteCount
    }

    /// How many streams up to one are open.
    public func openStreamCount(upTo last: Int32) -> Int {
        sink.pointee.slots.indices.count { index in
            let stream = sink.pointee.slots.all[index].stream
            return stream != 0 && stream <= last
        }
    }

    /// Whether a stream is open.
    public func isOpen(_ stream: Int32) -> Bool { stream != 0 && slot(of: stream, in: session, sink) != nil }

    /// Resets every stream that the client opens from now on with REFUSED_STREAM; nothing is announced.
    public func refuseNewStreams() { sink.pointee.streamLimit = 0 }

    /// The bytes of a GOAWAY frame (RFC 9113 §6.8) that this session knows nothing of, so that it goes on as before.
    public static func goAwayFrame(_ code: UInt32, lastStream: Int32, debugData: [UInt8]) -> [UInt8] {
        let length = 8 + debugData.count
        let lengthBytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        let words = [UInt32(bitPattern: lastStream), code].flatMap { word in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        return lengthBytes + [7, 0, 0, 0, 0, 0] + words + debugData
    }
}
