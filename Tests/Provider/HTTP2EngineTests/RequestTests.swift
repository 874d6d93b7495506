import HTTP2Engine
import RequestWire
import TestSupport
import Testing

/// One way to send the plain request.
struct RequestRow: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var bytes: [UInt8]
    var body = "{}"
}

private func data(_ text: String, end: Bool = true) -> [UInt8] {
    frame(FrameType.data, flags: end ? Flag.endStream : 0, stream: 1, Array(text.utf8))
}

/// Every legal way to send a request gives the same request.
@Suite struct RequestTests {
    static let block = headerBlock(plainFields)
    static let rows: [RequestRow] = [
        RequestRow(testDescription: "HEADERS and DATA", bytes: headers() + data("{}")),
        RequestRow(testDescription: "no body", bytes: headers(endStream: true), body: ""),
        RequestRow(
            testDescription: "an empty DATA frame ends the stream", bytes: headers() + data("{}", end: false) + data("")
        ),
        RequestRow(
            testDescription: "the body in three frames",
            bytes: headers() + data("{", end: false) + data("", end: false) + data("}")),
        RequestRow(
            testDescription: "padded HEADERS",
            bytes: frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.padded, stream: 1, [3] + block + [0, 0, 0])
                + data("{}")),
        RequestRow(
            testDescription: "padded DATA",
            bytes: headers()
                + frame(
                    FrameType.data, flags: Flag.endStream | Flag.padded, stream: 1, [2] + Array("{}".utf8) + [0, 0])),
        RequestRow(
            testDescription: "HEADERS with priority",
            bytes: frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.priority, stream: 1, [0, 0, 0, 0, 15] + block)
                + data("{}")),
        RequestRow(
            testDescription: "PRIORITY frames around it",
            bytes: frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 1]) + headers()
                + frame(FrameType.priority, stream: 5, [0, 0, 0, 1, 1]) + data("{}")),
        RequestRow(
            testDescription: "CONTINUATION",
            bytes: frame(FrameType.headers, stream: 1, Array(block.prefix(20)))
                + frame(FrameType.continuation, stream: 1, Array(block[20..<30]))
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, Array(block[30...])) + data("{}")),
        RequestRow(
            testDescription: "trailers",
            bytes: headers() + data("{}", end: false)
                + frame(
                    FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1,
                    headerBlock([("x-checksum", "1")]))),
        RequestRow(
            testDescription: "never-indexed literals",
            bytes: frame(
                FrameType.headers, flags: Flag.endHeaders, stream: 1, headerBlock(plainFields, representation: 0x10))
                + data("{}")),
        RequestRow(
            testDescription: "indexed literals",
            bytes: frame(
                FrameType.headers, flags: Flag.endHeaders, stream: 1, headerBlock(plainFields, representation: 0x40))
                + data("{}")),
        RequestRow(
            testDescription: "unknown frame type between",
            bytes: headers() + frame(0xbe, stream: 1, [1, 2]) + data("{}")),
    ]

    @Test(arguments: rows) func decodes(_ row: RequestRow) throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let requests = try session.requests(from: preface + row.bytes)
        #expect(requests.count == 1)
        #expect(requests.first?.textFields == plainFields.map { $0.0 + ": " + $0.1 })
        #expect(requests.first?.text == row.body)
    }

    @Test(arguments: rows) func decodesByteByByte(_ row: RequestRow) throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let requests = try (preface + row.bytes).flatMap { try session.requests(from: [$0]) }
        #expect(requests.map(\.text) == [row.body])
        #expect(requests.first?.textFields == plainFields.map { $0.0 + ": " + $0.1 })
    }

    @Test func acceptsHostWithoutAuthority() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let fields = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab"), ("host", "api.push.apple.com"),
        ]
        #expect(try session.requests(from: preface + headers(fields, endStream: true)).count == 1)
    }

    @Test func retainsTheConfiguredBodySizeAndCountsAll() throws {
        var settings = HTTP2Settings()
        settings.keptBodyByteCount = 10
        let session = try HTTP2Session(settings: settings)
        let request = try session.requests(from: preface + headers() + data("0123456789abcdef"))[0]
        #expect(request.text == "0123456789")
        #expect(request.block.bodyByteCount == 16)
    }

    @Test func aBodyThatIsOnlyAnnouncedTakesNoMemory() throws {
        var settings = HTTP2Settings()
        settings.keptBodyByteCount = .max
        let session = try HTTP2Session(settings: settings)
        let fields = plainFields + [("content-length", "\(Int.max)")]
        #expect(try session.requests(from: preface + headers(fields) + data("x", end: false)).isEmpty)
    }

    @Test func reportsAnEndlessBodyEarly() throws {
        var settings = HTTP2Settings()
        settings.drainedBodyByteCount = 20
        let session = try HTTP2Session(settings: settings)
        let request = try session.requests(
            from: preface + headers() + data(String(repeating: "x", count: 21), end: false))[0]
        _ = try session.sentFrames()
        try session.respond(to: request.stream, with: Response(status: 413))
        let frames = try session.sentFrames()
        #expect(frames.map(\.type) == [FrameType.headers, FrameType.reset])
        #expect(frames.last?.payload == bigEndian(HTTP2ErrorCode.noError.number))
        #expect(session.openStreamCount == 0)
    }

    @Test(arguments: [(7_900, true), (8_001, false)])
    func boundsHeadersWhileDecoding(listSize: Int, isAccepted: Bool) throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let used = plainFields.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 32 }
        let value = String(repeating: "v", count: listSize - used - 32 - 1)
        let events = try session.receive(preface + headers(plainFields + [("x", value)], endStream: true))
        let outcomes = events.compactMap { event -> Bool? in
            switch event {
            case .request: true
            case .headerListTooLarge: false
            default: nil
            }
        }
        #expect(outcomes == [isAccepted])
    }
}
