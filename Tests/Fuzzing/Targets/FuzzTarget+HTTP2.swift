internal import HTTP2Engine
internal import RequestWire
internal import TestSupport

extension FuzzTarget {
    /// A client's bytes to an HTTP/2 session: frames, header blocks, bodies, in pieces of any size.
    ///
    /// Control bits: 0 prepends preface and acknowledgement; 1 answers late or never; 2 answers in small paced frames.
    static let http2 = FuzzTarget("http2") { input in
        guard let input = ControlledInput(input) else { return }
        do throws(HTTP2Error) {
            var peer = try Peer(input)
            if input.has(0) { _ = try peer.take((preface + frame(FrameType.settings, flags: Flag.ack)).span.bytes) }
            var isOpen = true
            try input.inPieces { (piece) throws(HTTP2Error) in
                isOpen = try peer.take(piece.bytes)
                return isOpen
            }
            if isOpen { try peer.finish() }
        } catch {
            // The connection ends, and that is all.
        }
    }
}

extension ControlledInput {
    fileprivate func inPieces(
        _ body: (UnsafeRawBufferPointer) throws(HTTP2Error) -> Bool
    ) throws(HTTP2Error) {
        var failure: HTTP2Error?
        inPieces { piece in
            do throws(HTTP2Error) {
                return try body(piece)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }
}

/// A session and the answers it is given.
private struct Peer {
    let input: ControlledInput
    let session: HTTP2Session
    private var unanswered: [Int32] = []
    private var now: Int64 = 0

    /// Small enough that an input of a few kilobytes reaches each limit.
    private static let streamLimit: UInt32 = 8

    init(_ input: ControlledInput) throws(HTTP2Error) {
        self.input = input
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = Self.streamLimit
        settings.maximumHeaderListSize = 1000
        settings.keptBodyByteCount = 64
        settings.drainedBodyByteCount = 256
        var limits = HTTP2Limits()
        limits.frameBurst = 200
        limits.headerBlockByteCount = 4096
        session = try HTTP2Session(settings: settings, limits: limits)
    }

    /// - Returns: Whether the connection stays open.
    mutating func take(_ bytes: RawSpan) throws(HTTP2Error) -> Bool {
        now += 10
        var isOpen = true
        var failure: HTTP2Error?
        try session.receive(bytes, now: now) {
            do throws(HTTP2Error) {
                isOpen = try answerBatch() && isOpen
            } catch { failure = error }
        }
        if let failure { throw failure }
        isOpen = try answerBatch() && isOpen
        return isOpen && !session.isFinished
    }

    private mutating func answerBatch() throws(HTTP2Error) -> Bool {
        var isOpen = true
        while let event = session.nextEvent() {
            switch event {
            case .request(let request):
                check(request)
                if input.has(1) { unanswered.append(request.stream) } else { try answer(request.stream) }
            case .headerListTooLarge(let stream): try session.respond(to: stream, with: Response(status: 431))
            case .attack: isOpen = false
            case .settings(let settings): if settings.count == 2 { try session.setStreamLimit(Self.streamLimit / 2) }
            case .streamClosed, .ping, .pingAcknowledged, .goAway, .streamRefused: break
            }
        }
        precondition(session.openStreamCount <= Int(Self.streamLimit), "more streams than announced")
        try takeOutput()
        return isOpen
    }

    /// Late answers, and the end.
    mutating func finish() throws(HTTP2Error) {
        for stream in unanswered { try answer(stream) }
        try takeOutput()
        _ = try session.resetStalledStreams(requestsSince: now + 1, answersSince: now + 1)
        try session.submitShutdownNotice(debugData: Array("{}".utf8))
        try takeOutput()
        try session.end(.idle)
        try takeOutput()
        precondition(session.isFinished, "a session that was ended has something to say")
    }

    private func answer(_ stream: Int32) throws(HTTP2Error) {
        var response = Response(status: stream % 4 == 1 ? 200 : 400)
        response.addField("apns-id", "00000000-0000-0000-0000-000000000000")
        if stream % 4 == 3 { response.body = Array(#"{"reason":"BadDeviceToken"}"#.utf8) }
        if input.has(2) {
            response.isPaced = true
            response.frameByteCount = 3
        }
        try session.respond(to: stream, with: response)
        _ = try session.releaseBody(of: stream, now: 0)
    }

    private func takeOutput() throws(HTTP2Error) {
        var output: [UInt8] = []
        try session.takeOutput(into: &output)
        let frames = SentFrame.all(in: output)
        precondition(frames.reduce(0) { $0 + 9 + $1.payload.count } == output.count, "half a frame")
    }

    /// Fields and body lie within the buffer, one behind the other.
    private func check(_ request: Request) {
        let block = request.block
        block.bytes.withUnsafeBytes { bytes in
            var end = 0
            let head = UnsafeRawBufferPointer(rebasing: bytes[block.headRange])
            for entry in IteratorSequence(HeadReader(head)) {
                precondition(entry.range.lowerBound == end, "a gap between fields")
                end = entry.range.upperBound
                if let header = entry.header, block[header] == nil { preconditionFailure("a header without its place") }
            }
            precondition(end == head.count, "fields and their block do not end together")
        }
        for header in HeaderName.allCases {
            guard let value = block[header] else { continue }
            precondition(value.bounds.upperBound <= block.bodyRange.lowerBound, "a value outside the fields")
        }
        precondition(block.bodyRange.count <= min(64, block.bodyByteCount), "more body than came")
    }
}
