internal import HTTP2Engine
internal import RequestWire

/// A session's events and output in order, and whether it failed.
package struct SessionTranscript: Equatable, Sendable {
    package var events: [String] = []
    package var output: [UInt8] = []
    package var hasFailed = false
    /// Requests with their fields, and the streams and the connection that ended otherwise, with their error codes.
    package var verdicts: [String] = []

    /// Feeds a new session the client preface, then each turn, and answers its requests at its end.
    ///
    /// - Parameter pieceByteCount: bytes per feed; nil for a whole turn.
    package init(of turns: [[UInt8]], pieceByteCount: Int?) {
        do throws(HTTP2Error) {
            let session = try HTTP2Session(settings: HTTP2Settings())
            for turn in [preface + frame(FrameType.settings, flags: Flag.ack)] + turns {
                try take(turn, pieceByteCount ?? turn.count, session)
            }
        } catch {
            hasFailed = true
        }
    }

    private mutating func take(_ turn: [UInt8], _ step: Int, _ session: HTTP2Session) throws(HTTP2Error) {
        var requests: [Int32] = []
        var rest = turn[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(step))
            for event in try session.receive(piece) {
                switch event {
                case .request(let request):
                    events.append("\(request.stream): \(request.textFields) + \(request.block.body)")
                    verdicts.append("\(request.stream): \(request.textFields)")
                    requests.append(request.stream)
                case .headerListTooLarge(let stream):
                    events.append("\(event)")
                    requests.append(stream)
                default: events.append("\(event)")
                }
            }
            rest = rest.dropFirst(step)
        }
        for stream in requests { try session.respond(to: stream, with: Response(status: 200)) }
        let start = output.count
        try session.takeOutput(into: &output)
        verdicts += ReferenceSession.verdicts(in: Array(output[start...]))
    }
}
