internal import TestSupport

extension FuzzTarget {
    /// Header blocks of one connection, each preceded by its length: decoded and judged as by nghttp2, at once and byte by byte.
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
        let half = turns.count / 2
        let grouped = turns.prefix(half) + [turns.dropFirst(half).flatMap(\.self)]
        let expected = SessionTranscript(of: Array(grouped), pieceByteCount: 1)
        let found = SessionTranscript(of: Array(grouped), pieceByteCount: nil)
        precondition(expected.hasFailed == found.hasFailed, "a session fails that should not, or the other way round")
        precondition(expected.output == found.output, "another answer")
        precondition(expected.hasFailed || expected.events == found.events, "other events")
        // nghttp2 does not have the session's own limits and stream checks.
        let isOwn = found.events.contains { $0.hasPrefix("attack") || $0.hasPrefix("headerListTooLarge") }
        let isClosed = found.verdicts.contains { $0.hasSuffix("[0, 0, 0, 5]") }
        let judgement = ReferenceSession.verdicts(on: Array(grouped))
        precondition(isOwn || isClosed || found.verdicts == judgement, "\(found.verdicts) instead of \(judgement)")
    }
}
