import HTTP2Engine
import RequestWire
import TestSupport
import Testing

@Suite struct SessionTests {
    @Test func announcesAPNsSettingsFirst() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let first = try session.sentFrames()[0]
        #expect(first.type == FrameType.settings)
        let entries = stride(from: 0, to: first.payload.count, by: 6).map { Array(first.payload[$0..<$0 + 6]) }
        #expect(
            entries == [
                [0, 1] + bigEndian(4096), [0, 3] + bigEndian(1000), [0, 4] + bigEndian(65535),
                [0, 5] + bigEndian(16384),
                [0, 6] + bigEndian(8000),
            ])
    }

    @Test func answersWithHeadersAloneWhenThereIsNoBody() throws {
        let session = try openSession(streams: 1)
        try session.respond(to: 1, with: Response(status: 200))
        let frames = try session.sentFrames()
        #expect(frames.map(\.type) == [FrameType.headers])
        #expect(frames[0].flags & Flag.endStream != 0)
        #expect(frames[0].payload == [0x88])  // ":status 200" is entry 8 of HPACK's static table
    }

    @Test func fieldsFollowTheStatusAsLiterals() throws {
        let session = try openSession(streams: 2)
        let long = String(repeating: "v", count: 300)
        for stream in [1, 3] as [Int32] {
            var response = Response(status: 200)
            response.addField("apns-id", "\(stream)")
            response.addField("x-long", long)
            #expect(response.textFields.map(\.value) == ["\(stream)", long])
            try session.respond(to: stream, with: response)
        }
        let frames = try session.sentFrames()
        #expect(frames.map(\.stream) == [1, 3])
        for frame in frames {
            #expect(frame.payload == [0x88] + headerBlock([("apns-id", "\(frame.stream)"), ("x-long", long)]))
        }
    }

    @Test func anAnswerInAReusedSlotContainsNothingOfTheFormer() throws {
        let session = try openSession(streams: 2)
        var response = Response(status: 400)
        response.addField("x-long", String(repeating: "v", count: 300))
        response.body = [1, 2, 3]
        response.frameByteCount = 2
        try session.respond(to: 1, with: response)
        response.reset(status: 200)
        response.addField("apns-id", "3")
        try session.respond(to: 3, with: response)
        var frames = try session.sentFrames()
        #expect(frames.filter { $0.stream == 1 }.map(\.type) == [FrameType.headers, FrameType.data, FrameType.data])
        // The later stream reuses the slot of the earlier one.
        _ = try session.receive(headers(stream: 5, endStream: true) + headers(stream: 7, endStream: true))
        response.reset(status: 200)
        response.addField("apns-id", "5")
        try session.respond(to: 5, with: response)
        response.reset(status: 200)
        try session.respond(to: 7, with: response)
        frames += try session.sentFrames()
        let block = { (id: String) in [0x88] + headerBlock([("apns-id", id)]) }
        #expect(frames.filter { $0.stream > 1 }.map(\.payload) == [block("3"), block("5"), [0x88]])
    }

    @Test func answersAnErrorWithHeadersAndOneDataFrame() throws {
        let session = try openSession(streams: 1)
        var response = Response(status: 400)
        response.body = Array(#"{"reason":"BadTopic"}"#.utf8)
        try session.respond(to: 1, with: response)
        let frames = try session.sentFrames()
        #expect(frames.map(\.type) == [FrameType.headers, FrameType.data])
        #expect(frames[0].payload.dropFirst(1).isEmpty)
        #expect(frames.map { $0.flags & Flag.endStream != 0 } == [false, true])
        #expect(frames[1].payload == response.body)
    }

    @Test func answersOnceAndNeverOnAClosedStream() throws {
        let session = try openSession(streams: 1)
        #expect(try session.respond(to: 1, with: Response(status: 200)))
        #expect(try session.respond(to: 1, with: Response(status: 500)) == false)
        #expect(try session.respond(to: 3, with: Response(status: 200)) == false)
        #expect(try session.sentFrames().count == 1)
    }

    @Test func echoesPings() throws {
        let session = try openSession(streams: 0)
        let payload: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        _ = try session.receive(frame(FrameType.ping, payload))
        #expect(
            try session.sentFrames() == [SentFrame(type: FrameType.ping, flags: Flag.ack, stream: 0, payload: payload)])
    }

    @Test func refusesExcessStreamsAndServesTheRest() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        let ack = frame(FrameType.settings, flags: Flag.ack)
        let events = try session.receive(preface + ack + headers(stream: 1) + headers(stream: 3, endStream: true))
        #expect(events.contains { if case .streamRefused(stream: 3) = $0 { true } else { false } })
        let resets = try session.sentFrames().filter { $0.type == FrameType.reset }
        #expect(resets == [SentFrame(type: FrameType.reset, flags: 0, stream: 3, payload: bigEndian(7))])
        let end = frame(FrameType.data, flags: Flag.endStream, stream: 1, Array("{}".utf8))
        #expect(try session.requests(from: end).map(\.stream) == [1])
    }

    @Test func raisesTheStreamLimitWithASettingsFrame() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        _ = try session.receive(preface + frame(FrameType.settings, flags: Flag.ack))
        #expect(try session.sentFrames()[0].payload[6..<12] == [0, 3, 0, 0, 0, 1])
        try session.setStreamLimit(1000)
        #expect(try session.sentFrames().last?.payload == [0, 3] + bigEndian(1000))
        let requests = try session.requests(
            from: headers(stream: 1, endStream: true) + headers(stream: 3, endStream: true))
        #expect(requests.map(\.stream) == [1, 3])
    }

    @Test func aLimitRaisedBeforeTheFirstSendIsSentSecond() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        try session.setStreamLimit(1000)
        let frames = try session.sentFrames()
        #expect(frames[0].payload[6..<12] == [0, 3, 0, 0, 0, 1])
        #expect(frames.last?.payload == [0, 3] + bigEndian(1000))
    }

    @Test func stopsWithTwoGoAwaysThatNameTheReason() throws {
        let session = try openSession(streams: 1)
        let reason = Array(#"{"reason":"Shutdown"}"#.utf8)
        try session.submitShutdownNotice(debugData: reason)
        let notice = try session.sentFrames()
        #expect(notice.map(\.type) == [FrameType.goAway, FrameType.ping])
        #expect(notice[0].payload == bigEndian(0x7fff_ffff) + bigEndian(0) + reason)
        #expect(try session.requests(from: headers(stream: 3, endStream: true)).count == 1)
        try session.submitGoAway(.noError, debugData: reason)
        #expect(try session.sentFrames().map(\.payload) == [bigEndian(3) + bigEndian(0) + reason])
        try session.respond(to: 1, with: Response(status: 200))
        try session.respond(to: 3, with: Response(status: 200))
        #expect(try session.sentFrames().count == 2)
        #expect(session.isFinished)
    }

    @Test func reportsThePeersGoAway() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let settings = frame(FrameType.settings, [0, 4, 0, 0, 0, 9, 0, 2, 0, 0, 0, 0])
        let events = try session.receive(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings
                + frame(FrameType.goAway, [0, 0, 0, 0, 0, 0, 0, 2]))
        guard case .settings(let entries) = events[0], case .goAway(let code) = events[1] else {
            Issue.record("expected SETTINGS and GOAWAY, got \(events)")
            return
        }
        #expect(entries.map(\.name) == ["INITIAL_WINDOW_SIZE", "ENABLE_PUSH"])
        #expect(entries.map(\.value) == [9, 0])
        #expect(code == 2)
    }

    @Test(arguments: ["POST /3/device/abc HTTP/1.1\r\n", "\u{16}\u{3}\u{1}", "PRI * HTTP/1.0\r\n\r\nSM\r\n\r\n"])
    func detectsAnotherProtocol(_ text: String) throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        #expect { _ = try session.receive(Array(text.utf8)) } throws: { ($0 as? HTTP2Error)?.isBadPreface == true }
    }

    /// Random changes to a valid byte sequence may end the session, never the process.
    @Test(arguments: 0..<200) func survivesMutations(seed: UInt64) throws {
        var generator = SplitMix(state: seed)
        var bytes =
            preface + headers() + frame(FrameType.data, flags: Flag.endStream, stream: 1, Array("{}".utf8))
            + headers(stream: 3, endStream: true)
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            bytes[Int.random(in: 24..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        let session = try HTTP2Session(settings: HTTP2Settings())
        guard let events = try? session.receive(bytes) else { return }
        for case .request(let request) in events {
            try session.respond(to: request.stream, with: Response(status: 200))
        }
        _ = try session.sentFrames()
    }

    private func openSession(streams: Int32) throws -> HTTP2Session {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let ack = frame(FrameType.settings, flags: Flag.ack)
        let requests = (0..<streams).flatMap { headers(stream: $0 * 2 + 1, endStream: true) }
        _ = try session.receive(preface + ack + requests)
        _ = try session.sentFrames()
        return session
    }
}
