import Gateway
import HTTP2Engine

extension FuzzTarget {
    /// The upstream's answers to two relayed pushes, in pieces of any size. Control bit 0 prepends SETTINGS.
    static let relay = FuzzTarget("relay") { input in
        guard let input = ControlledInput(input) else { return }
        do throws(HTTP2Error) {
            var push = try RelayedPushes()
            if input.has(0) { try push.take([0, 0, 0, 4, 0, 0, 0, 0, 0]) }
            var pieces: [[UInt8]] = []
            input.inPieces { piece in
                pieces.append(Array(piece))
                return true
            }
            for piece in pieces { try push.take(piece) }
            try push.finish()
        } catch {
            // The connection ends, and its pushes fail.
        }
    }
}

/// Two pushes on a connection to an upstream.
private struct RelayedPushes {
    private let client: HTTP2Client
    private var waiting: Set<Int32> = []
    private var isReady = false

    init() throws(HTTP2Error) {
        client = try HTTP2Client()
        let fields = [(":method", "POST"), (":scheme", "https"), (":authority", "up"), (":path", "/3/device/0badcafe")]
        for body in [Array("{}".utf8), []] { waiting.insert(try client.send(fields, body: body)) }
        _ = try client.takeOutput()
    }

    mutating func take(_ bytes: [UInt8]) throws(HTTP2Error) {
        for event in try client.receive(bytes.span.bytes) {
            switch event {
            case .ready:
                precondition(!isReady, "ready twice")
                isReady = true
            case .answered(let stream, let answer):
                precondition(waiting.remove(stream) != nil, "an answer to nothing, or a second one")
                precondition(answer.status >= 200 && answer.body.count <= 8192, "no whole answer")
                _ = RelayAnswer(status: answer.status, body: answer.body).text
            case .failed(let stream, _):
                precondition(waiting.remove(stream) != nil, "a push fails that was answered")
            case .goAway(let debugData): _ = RelayAnswer.reason(in: debugData)
            }
        }
        _ = try client.takeOutput()
    }

    func finish() throws(HTTP2Error) {
        for stream in waiting { try client.cancel(stream) }
        _ = try client.takeOutput()
    }
}
