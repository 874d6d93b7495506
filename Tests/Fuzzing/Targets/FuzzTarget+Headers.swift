internal import TestSupport

extension FuzzTarget {
    /// Header blocks of one connection, each behind its length. A repeated provider token is not decoded again, which must not show:
    /// a session that is fed byte by byte shortens nothing, so it is the judge.
    static let headers = FuzzTarget("headers") { input in
        var turns: [[UInt8]] = []
        var rest = input[...]
        while let control = rest.popFirst(), let length = rest.popFirst(), turns.count < 64 {
            let block = Array(rest.prefix(Int(length)))
            rest = rest.dropFirst(block.count)
            let flags = Flag.endHeaders | (control & 1 == 0 ? Flag.endStream : 0)
            let stream = Int32(2 * turns.count + 1) - (control & 2 == 2 ? 2 : 0)
            turns.append(frame(FrameType.headers, flags: flags, stream: max(1, stream), block))
        }
        // All at once a block is held against those of the bytes before only, so some come together and some alone.
        let half = turns.count / 2
        let grouped = turns.prefix(half) + [turns.dropFirst(half).flatMap(\.self)]
        let expected = SessionTranscript(of: Array(grouped), pieceByteCount: 1)
        let found = SessionTranscript(of: Array(grouped), pieceByteCount: nil)
        precondition(expected.hasFailed == found.hasFailed, "a session fails that should not, or the other way round")
        precondition(expected.output == found.output, "another answer")
        precondition(expected.hasFailed || expected.events == found.events, "other events")
    }
}
