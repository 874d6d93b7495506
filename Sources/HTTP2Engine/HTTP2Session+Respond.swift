internal import CNghttp2

extension HTTP2Session {
    /// Queues an answer: HEADERS with END_STREAM, or HEADERS and DATA when there is a body.
    /// - Returns: Whether the stream was still there to be answered.
    /// - Throws: `HTTP2Error` when memory is short.
    @discardableResult
    public func respond(to stream: Int32, with response: Response) throws(HTTP2Error) -> Bool {
        guard let data = nghttp2_session_get_stream_user_data(session, stream) else { return false }
        let index = Int(bitPattern: data) - 1
        guard sink.pointee.slots[index].isDispatched, !sink.pointee.slots[index].isAnswered else { return false }
        sink.pointee.slots[index].isAnswered = true
        sink.pointee.slots[index].since = sink.pointee.now
        try HTTP2Error.check(submit(response, stream: stream, slot: index))
        if !sink.pointee.slots[index].isComplete {
            // The answer is complete, the request is not: ask the client to stop sending (RFC 9113 §8.1).
            sink.pointee.slots[index].request = nil
            streamsToReset.insert(stream)
        }
        return true
    }

    private func submit(_ response: Response, stream: Int32, slot: Int) -> Int {
        var status = (
            UInt8(0x30 + response.status / 100 % 10), UInt8(0x30 + response.status / 10 % 10),
            UInt8(0x30 + response.status % 10)
        )
        return withUnsafeMutableBytes(of: &status) { status in
            response.withFieldVector(status: status, namesAreKnown: namesAreKnown) { fields in
                namesAreKnown = true
                guard !response.body.isEmpty || response.isPaced else {
                    return Int(nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, nil))
                }
                sink.pointee.slots[slot].unsentBody = response.body[...]
                sink.pointee.slots[slot].frameByteCount = response.frameByteCount ?? .max
                sink.pointee.slots[slot].releasedFrames = response.isPaced ? 0 : nil
                var provider = nghttp2_data_provider(
                    source: nghttp2_data_source(fd: Int32(slot)), read_callback: readBody)
                return Int(nghttp2_submit_response(session, stream, fields.baseAddress, fields.count, &provider))
            }
        }
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
    if let released = sink.pointee.slots[slot].releasedFrames {
        guard released > 0 else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        sink.pointee.slots[slot].releasedFrames = released - 1
    }
    let chunk = sink.pointee.slots[slot].unsentBody.prefix(min(capacity, sink.pointee.slots[slot].frameByteCount))
    chunk.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(target!).copyMemory(from: base, byteCount: bytes.count)
    }
    sink.pointee.slots[slot].unsentBody.removeFirst(chunk.count)
    if sink.pointee.slots[slot].unsentBody.isEmpty { flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return chunk.count
}

extension Response {
    /// The fields as nghttp2 wants them. Values change with every answer, so only the first answer of a connection puts its
    /// fields into the HPACK table: later ones find the names there.
    fileprivate func withFieldVector(
        status: UnsafeMutableRawBufferPointer, namesAreKnown: Bool,
        _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Int
    ) -> Int {
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fieldCount + 1) { vector in
            let literal = UInt8((namesAreKnown ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE).rawValue)
            let statusName: StaticString = ":status"
            vector.initializeElement(
                at: 0,
                to: nghttp2_nv(
                    name: UnsafeMutablePointer(mutating: statusName.utf8Start),
                    value: status.bindMemory(to: UInt8.self).baseAddress, namelen: 7, valuelen: 3,
                    flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)))
            return fields.withUnsafeBytes { block in
                var offset = 0
                var index = 1
                while offset < block.count {
                    let nameCount = Int(block.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
                    let valueCount = Int(block.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
                    let name = UnsafeMutablePointer(
                        mutating: (block.baseAddress! + offset + 4).assumingMemoryBound(to: UInt8.self))
                    vector.initializeElement(
                        at: index,
                        to: nghttp2_nv(
                            name: name, value: name + nameCount, namelen: nameCount, valuelen: valueCount,
                            flags: literal))
                    offset += 4 + nameCount + valueCount
                    index += 1
                }
                return body(UnsafeMutableBufferPointer(rebasing: vector[0..<index]))
            }
        }
    }
}
