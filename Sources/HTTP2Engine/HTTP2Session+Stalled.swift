extension HTTP2Session {
    /// Ends the streams whose request has not ended in time, and those whose answer the peer does not take.
    /// A request that waits for its answer is the server's own affair, and so is a paced answer whose next part is not due.
    /// - Parameters:
    ///   - requestsSince: A request that began before this instant is ended.
    ///   - answersSince: An answer that began before this instant is ended.
    /// - Returns: How many of each.
    package func resetStalledStreams(
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
