internal import CNghttp2
internal import RequestWire

extension HTTP2Session {
    /// - Parameter now: Milliseconds; the peer's time to accept the answer starts here. `nil` means the last read.
    /// - Returns: False when the stream is gone or already answered.
    @discardableResult
    public func respond(to stream: Int32, with response: Response, now: Int64? = nil) throws(HTTP2Error) -> Bool {
        guard let index = slot(of: stream, in: session, sink) else { return false }
        guard sink.pointee.slots.all[index].isDispatched, !sink.pointee.slots.all[index].isAnswered else {
            return false
        }
        sink.pointee.slots.all[index].isAnswered = true
        sink.pointee.slots.all[index].since = now ?? sink.pointee.now
        try HTTP2Error.check(submit(response, stream: stream, slot: index))
        if !sink.pointee.slots.all[index].isComplete {
            // The request is incomplete: ask the client to stop sending (RFC 9113 §8.1).
            sink.pointee.slots.all[index].request = nil
            sink.pointee.streamsToReset.insert(stream)
        }
        return true
    }

    /// nghttp2 gets the status only; `appendFields` adds the fields when the frame is sent.
    private func submit(_ response: Response, stream: Int32, slot: Int) -> Int {
        // Appending the array itself would retain it twice.
        response.fields.withUnsafeBufferPointer { sink.pointee.slots.all[slot].unsentFields.append(contentsOf: $0) }
        var status = (
            UInt8(0x30 + response.status / 100 % 10), UInt8(0x30 + response.status / 10 % 10),
            UInt8(0x30 + response.status % 10)
        )
        return withUnsafeMutableBytes(of: &status) { status in
            let name: StaticString = ":status"
            var field = nghttp2_nv(
                name: UnsafeMutablePointer(mutating: name.utf8Start),
                value: status.bindMemory(to: UInt8.self).baseAddress, namelen: name.utf8CodeUnitCount, valuelen: 3,
                flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue))
            guard !response.body.isEmpty || response.isPaced else {
                return Int(nghttp2_submit_response(session, stream, &field, 1, nil))
            }
            sink.pointee.slots.all[slot].unsentBody = response.body[...]
            sink.pointee.slots.all[slot].frameByteCount = response.frameByteCount ?? .max
            sink.pointee.slots.all[slot].releasedFrames = response.isPaced ? 0 : nil
            var provider = nghttp2_data_provider(source: nghttp2_data_source(fd: Int32(slot)), read_callback: readBody)
            return Int(nghttp2_submit_response(session, stream, &field, 1, &provider))
        }
    }

    /// Appends an answer's fields to the HEADERS frame that holds its status.
    /// Values differ in each answer: nghttp2's lookups and Huffman coding save a few bytes for half the answer's cost.
    func appendFields(to output: inout [UInt8], frameAt offset: Int) {
        guard !sink.pointee.leavingFields.isEmpty else { return }
        sink.pointee.leavingFields.withUnsafeBufferPointer { extend(&output, frameAt: offset, by: $0) }
        sink.pointee.leavingFields.removeAll(keepingCapacity: true)
    }
}

private func readBody(
    session: OpaquePointer?, stream: Int32, target: UnsafeMutablePointer<UInt8>?, capacity: Int,
    flags: UnsafeMutablePointer<UInt32>?, source: UnsafeMutablePointer<nghttp2_data_source>?,
    context: UnsafeMutableRawPointer?
) -> Int {
    let sink = EventSink.from(context)
    let slot = Int(source!.pointee.fd)
    if let released = sink.pointee.slots.all[slot].releasedFrames {
        guard released > 0 else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        sink.pointee.slots.all[slot].releasedFrames = released - 1
    }
    let chunk = sink.pointee.slots.all[slot].unsentBody.prefix(
        min(capacity, sink.pointee.slots.all[slot].frameByteCount))
    chunk.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(target!).copyMemory(from: base, byteCount: bytes.count)
    }
    sink.pointee.slots.all[slot].unsentBody.removeFirst(chunk.count)
    if sink.pointee.slots.all[slot].unsentBody.isEmpty { flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return chunk.count
}

extension HTTP2Session {
    /// Resets streams with an incomplete request or an unsent answer that began before an instant, in milliseconds.
    /// Skips requests that wait for the server, and paced answers whose next frame is not released.
    public func resetStalledStreams(
        requestsSince: Int64, answersSince: Int64
    ) throws(HTTP2Error) -> (requests: Int, answers: Int) {
        var stalled = (requests: 0, answers: 0)
        for index in sink.pointee.slots.indices where sink.pointee.slots.all[index].stream != 0 {
            let (stream, since) = (sink.pointee.slots.all[index].stream, sink.pointee.slots.all[index].since)
            if sink.pointee.slots.all[index].isAnswered {
                guard since < answersSince, sink.pointee.slots.all[index].releasedFrames != 0 else { continue }
                stalled.answers += 1
            } else {
                guard !sink.pointee.slots.all[index].isDispatched, since < requestsSince else { continue }
                stalled.requests += 1
            }
            // Counted once: the slot is removed after the frame is sent.
            sink.pointee.slots.all[index].since = .max
            try reset(stream: stream, .cancel)
        }
        return stalled
    }
}
