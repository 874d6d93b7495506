internal import CNghttp2
internal import Wire

extension HTTP2Session {
    /// Queues an answer: HEADERS with END_STREAM, or HEADERS and DATA when there is a body.
    /// - Parameter now: Milliseconds; from then on the peer has its time to take it. `nil` for when the last bytes came.
    /// - Returns: Whether the stream was still there to be answered.
    /// - Throws: `HTTP2Error` when memory is short.
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
            // The answer is complete, the request is not: ask the client to stop sending (RFC 9113 §8.1).
            sink.pointee.slots.all[index].request = nil
            sink.pointee.streamsToReset.insert(stream)
        }
        return true
    }

    /// nghttp2 gets the status; the fields follow it when its frame leaves.
    private func submit(_ response: Response, stream: Int32, slot: Int) -> Int {
        // As bytes: an array that is appended to another one is counted twice.
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
            var provider = nghttp2_data_provider(
                source: nghttp2_data_source(fd: Int32(slot)), read_callback: readBody)
            return Int(nghttp2_submit_response(session, stream, &field, 1, &provider))
        }
    }

    /// Appends an answer's fields to the HEADERS frame with its status.
    ///
    /// Values are new in each answer, so that nghttp2's coding, which would look each of them up and spell it with Huffman's code,
    /// buys a few bytes for half the price of the answer.
    func appendFields(to output: inout [UInt8], frameAt offset: Int) {
        guard !sink.pointee.leavingFields.isEmpty else { return }
        sink.pointee.leavingFields.withUnsafeBufferPointer { extend(&output, frameAt: offset, by: $0) }
        sink.pointee.leavingFields.removeAll(keepingCapacity: true)
    }
}

/// Copies the next part of an answer's body into the DATA frame nghttp2 is building.
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
    /// Ends the streams whose request has not ended in time, and those whose answer the peer does not take.
    /// A request that waits for its answer is the server's own affair, and so is a paced answer whose next part is not due.
    /// - Parameters:
    ///   - requestsSince: A request that began before this instant is ended.
    ///   - answersSince: An answer that began before this instant is ended.
    /// - Returns: How many of each.
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
            // Counted once: the slot goes when the frame has left.
            sink.pointee.slots.all[index].since = .max
            try reset(stream: stream, .cancel)
        }
        return stalled
    }
}
