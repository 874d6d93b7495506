import RequestWire
import TestSupport
import Testing

@testable import HPACK

/// Header blocks in pieces of any size are decoded and judged as by nghttp2.
@Suite struct HeaderBlockTests {
    /// - Parameter isJudged: `false` where the session has limits that nghttp2 has not.
    private func expectSame(
        _ turns: [[UInt8]], isJudged: Bool = true, _ comment: Comment? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let expected = SessionTranscript(of: turns, pieceByteCount: 1)
        for count in [nil, 1000, 99] {
            let found = SessionTranscript(of: turns, pieceByteCount: count)
            #expect(found.hasFailed == expected.hasFailed, comment, sourceLocation: location)
            #expect(found.output == expected.output, comment, sourceLocation: location)
            // Requests before a failure are reported with the piece that contains them.
            if !expected.hasFailed { #expect(found.events == expected.events, comment, sourceLocation: location) }
        }
        guard isJudged else { return }
        #expect(expected.verdicts == ReferenceSession.verdicts(on: turns), comment, sourceLocation: location)
    }

    private static let token = ("authorization", "bearer " + String(repeating: "eyJhbGciOiJFUzI1NiJ9", count: 9))

    private func request(
        _ stream: Int32, path: String = "/3/device/ab",
        rest: [(String, String)] = [Self.token, ("apns-priority", "10")],
        body: Int = 20
    ) -> [UInt8] {
        let fields =
            [(":method", "POST"), (":scheme", "https"), (":path", path), (":authority", "localhost")] + rest
            + [("content-length", "\(body)")]
        return headers(fields, stream: stream)
            + frame(FrameType.data, flags: Flag.endStream, stream: stream, [UInt8](repeating: 1, count: 20))
    }

    @Test func fieldsKeepTheirOrder() throws {
        let turns = (0..<4).map { request(1 + 2 * $0, path: "/3/device/\(String(repeating: "a", count: Int($0)))") }
        #expect(SessionTranscript(of: turns, pieceByteCount: nil).events.count == 5)
        expectSame(turns)
        expectSame([turns.joined().map(\.self), request(9), request(11)])
    }

    /// Values that are not valid, lengths that are wrong, pseudo fields in the wrong place, more and fewer fields than before.
    private static let others: [[(String, String)]] = [
        [("authorization", "bearer a\u{1}b"), ("apns-priority", "10")], [token, ("apns-priority", "\u{0}")],
        [("apns-priority", "10"), token], [token], [token, ("apns-priority", "10"), ("te", "gzip")],
        [token, ("Apns-priority", "10")], [token, ("apns-priority", "10"), (":path", "/")],
        [(":path", "/"), ("apns-priority", "10")], [token, ("connection", "close")],
    ]

    @Test(arguments: 0..<others.count) func otherFieldsAreJudgedAsByNghttp2(_ number: Int) {
        let rest = Self.others[number]
        expectSame([request(1), request(3), request(5, rest: rest), request(7), request(9, rest: rest), request(11)])
        expectSame([request(1, rest: rest), request(3, rest: rest), request(5), request(7, rest: rest)])
        expectSame([request(1), request(3) + request(5, body: 21) + request(7), request(9)])
    }

    private static let ways: [[(String, String)]] = [
        [("POST", "/3/device/ab"), ("POST", "/3/device/ab"), ("POST", "/3/device/cd"), ("POST", "/3/device/ab")],
        [("OPTIONS", "*"), ("OPTIONS", "*"), ("POST", "*"), ("OPTIONS", "*")],
        [("POST", "/"), ("POST", "/"), ("POST", ""), ("POST", "3/device"), ("POST", "/")],
        [("GET", "/a\u{7f}"), ("GET", "/a\u{7f}"), ("GET", "/a")],
    ]

    @Test(arguments: 0..<ways.count) func pathsAreJudgedAsByNghttp2(_ number: Int) {
        var turns = [headers(stream: 1, endStream: true)]
        for (index, way) in Self.ways[number].enumerated() {
            let fields = [
                (":method", way.0), (":scheme", "https"), (":path", way.1), (":authority", "localhost"), Self.token,
            ]
            turns.append(headers(fields, stream: Int32(3 + 2 * index), endStream: true))
        }
        expectSame(turns)
        expectSame(turns + [request(31), request(33), request(35)])
    }

    /// The token after the fields that it must not precede, twice, empty, and in every representation.
    private static let places: [[(String, String)]] = [
        [token, (":path", "/3/device/ab")], [token, token], [("authorization", ""), token],
        [token, ("authorization", "")],
        [token, ("authorization", "bearer other")],
    ]

    @Test(arguments: 0..<places.count, [0x00, 0x10, 0x40] as [UInt8])
    func unusualBlocksAreJudgedAsByNghttp2(_ number: Int, _ representation: UInt8) {
        let pseudo = [(":method", "POST"), (":scheme", "https"), (":path", "/"), (":authority", "localhost")]
        let usual = headerBlock(pseudo + [Self.token], representation: 0x10)
        for head in [pseudo, [pseudo[0], pseudo[1]]] {
            let block =
                headerBlock(head, representation: 0x00)
                + headerBlock(Self.places[number], representation: representation)
            let turns = [usual, usual, block, usual, block, block].enumerated().map { index, block in
                frame(
                    FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: Int32(1 + 2 * index), block)
            }
            expectSame(turns)
            expectSame([turns[0], turns[1...].flatMap(\.self)])
        }
    }

    @Test func alternatingTokensKeepTheirValues() {
        let other = ("authorization", "bearer " + String(repeating: "AAAA", count: 45))
        let turns = (0..<8).map { request(1 + 2 * $0, rest: [$0 % 2 == 0 ? Self.token : other]) }
        expectSame(turns)
        expectSame([turns[0], turns[1...6].flatMap(\.self), turns[7]])
    }

    /// A PRIORITY flag that makes a stream depend on itself is a stream error; its block still updates the table.
    @Test func aSkippedBlockDoesNotAffectTheNext() {
        let block = headerBlock(plainFields + [Self.token])
        let skipped = frame(
            FrameType.headers, flags: Flag.endHeaders | Flag.endStream | Flag.priority, stream: 5,
            bigEndian(5) + [16] + block)
        expectSame([request(1), request(3), skipped + request(7) + request(9, rest: [("apns-priority", "5")])])
    }

    /// nghttp2 checks the length; shortening the frame would bring it below the maximum.
    @Test func aFrameAboveTheMaximumSizeIsRejected() {
        let filler = (0..<3).map { ("x-\($0)", String(repeating: "v", count: 5400)) }
        let block = headerBlock(plainFields + [Self.token] + filler)
        #expect(block.count > 16_384 && block.count < 16_384 + 180)
        let large = frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 5, block)
        expectSame([request(1), request(3), large])
    }

    /// The limit of a decoded block is reached before the token, whose bytes must not count early.
    @Test func theTokenCountsTowardTheLimitInOrder() {
        let token = ("authorization", String(repeating: "t", count: 3000))
        let head = headerBlock(plainFields.prefix(4).map { $0 })
        let entry = headerBlock([("x-large", String(repeating: "v", count: 3900))], representation: 0x40)
        func turn(_ stream: Int32, _ block: [UInt8]) -> [UInt8] {
            frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: stream, block)
        }
        for count in 14...18 {
            let references = [UInt8](repeating: 0x80 | 62, count: count)
            let literal = headerBlock([token], representation: 0x10)
            for wrong in [[], headerBlock([("connection", "close")])] {
                expectSame(
                    [
                        turn(1, head + entry + literal), turn(3, head + literal),
                        turn(5, head + references + wrong + literal),
                        turn(7, head + literal),
                    ], isJudged: false)
            }
        }
    }

    @Test func aRepeatedBlockOnAStreamIsNotATrailer() {
        let twice = headers(stream: 5) + headers(stream: 5, endStream: true)
        expectSame([
            headers(stream: 1, endStream: true), headers(stream: 3, endStream: true), twice, headers(stream: 7),
        ])
    }

    @Test func refusedAndSkippedStreamsDoNotAffectOthers() {
        let many = (0..<1010).flatMap { headers(stream: 3 + 2 * $0) }
        expectSame(
            [headers(stream: 1, endStream: true), many, headers(stream: 4001, endStream: true)], isJudged: false)
        let reset = frame(FrameType.reset, stream: 3, bigEndian(8))
        expectSame(
            [request(1), headers(stream: 3) + reset + headers(stream: 3, endStream: true) + request(5), request(7)],
            isJudged: false)
    }

    private static let oddFields: [[(String, String)]] = [
        [(":method", "POST")], [(":method", "")], [(":scheme", "")], [(":scheme", "9p")], [(":scheme", "a+b")],
        [(":path", "")], [(":path", "x")], [(":path", "/a b")], [(":path", "/\u{e4}")], [(":authority", "")],
        [(":authority", "a/b")], [(":authority", "b")], [("host", "b")], [("host", "")], [("host", "a b")],
        [("host", "b"), ("host", "b")], [(":status", "200")], [(":protocol", "websocket")], [(":unknown", "x")],
        [("connection", "close")], [("keep-alive", "1")], [("proxy-connection", "x")], [("upgrade", "h2c")],
        [("transfer-encoding", "chunked")], [("te", "trailers")], [("te", "Trailers")], [("te", "gzip")],
        [("te", "\u{1}")], [("Te", "trailers")], [("a b", "x")], [("", "x")], [(":", "x")], [("x", "\u{0}")],
        [("x", " y ")], [("x", "\u{7f}")], [("content-length", "20")], [("content-length", "19")],
        [("content-length", "x")], [("content-length", "")], [("content-length", "99999999999999999999")],
        [("content-length", "020")], [("content-length", "20"), ("content-length", "20")],
        [("content-length", "2\u{1}")], [("X-a", "y")], [("authorization", "a"), ("authorization", "b")],
        [("expect", "100-continue")], [("cookie", "a"), ("cookie", "b")],
    ]

    /// After and among the fields of a request, in place of one, and as trailers.
    @Test(arguments: 0..<oddFields.count) func oddFieldsAreJudgedAsByNghttp2(_ number: Int) {
        let odd = Self.oddFields[number]
        let body = frame(FrameType.data, flags: Flag.endStream, stream: 1, [UInt8](repeating: 1, count: 20))
        let plain = [(":method", "POST"), (":scheme", "https"), (":path", "/"), (":authority", "a")]
        var requests = [plain + odd, odd + plain, plain + odd + [("content-length", "20")]]
        requests += (0..<4).map { index in plain.filter { $0.0 != plain[index].0 } + odd }
        requests += [("CONNECT", "/"), ("OPTIONS", "*"), ("OPTIONS", "/"), ("GET", "*"), ("A B", "/")].map {
            method, path in
            [(":method", method), (":path", path)] + odd + [(":scheme", "http"), (":authority", "a")]
        }
        requests += [[(":method", "CONNECT"), (":authority", "a")] + odd, [(":method", "CONNECT")] + odd]
        for request in requests {
            expectSame([headers(request) + body], "\(request)")
            expectSame([headers(request, endStream: true)], "\(request) without a body")
        }
        for plain in [plain, plain + [("content-length", "20")], plain + [("host", "a")]] {
            let data = frame(FrameType.data, stream: 1, [UInt8](repeating: 1, count: 20))
            expectSame([headers(plain) + data + headers(odd, endStream: true)], "trailers \(odd)")
            expectSame([headers(plain) + data + headers(odd)], "trailers \(odd) that end nothing")
        }
    }

    /// Encoded by nghttp2's client: every byte in Huffman code, and a table that overflows repeatedly.
    @Test func nghttp2sOwnBlocksAreDecoded() {
        let encoder = ReferenceEncoder()
        var random = SplitMix(state: 1)
        let turns = (0..<200).map { index in
            var fields = plainFields
            for name in ["x-a", "apns-id", "authorization"] where Bool.random(using: &random) {
                let count = Int.random(in: 0...(index % 20 == 0 ? 3000 : 60), using: &random)
                let scalars = (0..<count).map { _ in Unicode.Scalar(UInt8.random(in: 32...126, using: &random)) }
                fields.append((name, String(String.UnicodeScalarView(scalars)) + ["", "\u{e4}\u{10ffff}"][index % 2]))
            }
            return frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: Int32(2 * index + 1),
                encoder.block(fields))
        }
        expectSame(turns)
        #expect(SessionTranscript(of: turns, pieceByteCount: nil).verdicts.count == 200)
    }

    /// Every padding of every symbol, EOS, and codes that are cut off.
    @Test func invalidHuffmanCodesEndTheConnection() {
        for first in UInt8.min...UInt8.max {
            for rest: [UInt8] in [
                [], [0xff], [0x00], [0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xfe], [0xff, 0xff, 0xea, 0x7f],
            ] {
                let string = [first] + rest
                let block =
                    headerBlock(plainFields) + [0x00, 1, UInt8(ascii: "x"), 0x80 | UInt8(string.count)] + string
                expectSame([frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1, block)])
            }
        }
    }

    /// Integers of every length, invalid references, and table sizes in valid and invalid places.
    @Test func invalidHPACKEndsTheConnection() {
        let plain = headerBlock(plainFields)
        let odd: [[UInt8]] = [
            [0x80], [0xbd], [0xbe], [0xff, 0x00], [0xff, 0x80, 0x00], [0xff, 0x80, 0x80, 0x80, 0x80, 0x00],
            [0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], [0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], [0xff], [0x3f], [0x3e],
            [0x20], [0x3f, 0xe1, 0x1f], [0x3f, 0xe2, 0x1f], [0x20, 0x20, 0x3f, 0xe1, 0x1f], [0x00], [0x00, 0x05, 0x61],
            [0x00, 0x01, 0x78], [0x00, 0x01, 0x78, 0x01], [0x00, 0x00, 0x00], [0x7f, 0x00], [0x7f, 0x00, 0x00], [0x40],
            [0x40, 0x00, 0x00], [0x40, 0x00, 0x00, 0xbe], [0x0f, 0x00, 0x01, 0x61], [0x1f, 0x2f, 0x00],
            [0x5f, 0x01, 0x61], [0x80 | 58], [0x80 | 16],
        ]
        func turn(_ stream: Int32, _ block: [UInt8]) -> [UInt8] {
            frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: stream, block)
        }
        let indexed = headerBlock([("x-table", "y")], representation: 0x40)
        for bytes in odd {
            expectSame([turn(1, plain + bytes), turn(3, plain)], "\(bytes) at the end")
            expectSame([turn(1, bytes + plain), turn(3, plain)], "\(bytes) at the beginning")
            expectSame(
                [turn(1, plain + indexed), turn(3, bytes + plain), turn(5, plain + [0xbe])], "\(bytes) and a table")
        }
    }

    /// Empty fields enter and leave the table as others do.
    @Test func emptyFieldsTakeNoMemory() {
        var table = HeaderTable(limit: 4096)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        for _ in 0..<10_000 { table.insert(TableField(name: nothing, value: nothing, kind: FieldKind(.path))) }
        let count = table.entries.count
        #expect(count <= 256)
        let (newest, oldest, evicted) = (table[62] != nil, table[62 + 127] != nil, table[62 + 128] == nil)
        #expect(newest && oldest && evicted)
    }

    @Test func randomBlocksAreJudgedAsByNghttp2() {
        for seed in 0..<80 as Range<UInt64> {
            var client = ChanceClient(seed: seed)
            expectSame((0..<10).map { _ in client.turn() }, isJudged: true, "seed \(seed)")
        }
    }
}

/// A client that writes header blocks in every HPACK form, mostly similar ones, and corrupts a few.
private struct ChanceClient {
    private var random: SplitMix
    private var stream: Int32 = 1
    /// The client's dynamic table, newest first.
    private var table: [(String, String)] = []

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

    mutating func turn() -> [UInt8] {
        (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in request() }
    }

    private mutating func request() -> [UInt8] {
        defer { stream += 2 }
        var fields = [
            (":method", "POST"), (":scheme", "https"),
            (":path", "/3/device/" + ["ab", "cd", "abcdef"].randomElement(using: &random)!),
            (":authority", "localhost"),
            ("authorization", "bearer " + String(repeating: "x", count: chance(9) ? 300 : 200)),
            ("apns-topic", "com.example.app"), ("content-length", "3"),
        ]
        if chance(6) { fields.append(("apns-id", "0000")) }
        if chance(12) { fields.swapAt(5, 6) }
        var block: [UInt8] = chance(25) ? resized() : []
        for field in fields { block += represent(field) }
        if chance(25), !block.isEmpty {
            block[Int.random(in: 0..<block.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        let data = frame(FrameType.data, flags: Flag.endStream, stream: stream, [1, 2, 3])
        if chance(12) {
            let cut = Int.random(in: 0...block.count, using: &random)
            return frame(FrameType.headers, stream: stream, Array(block[..<cut]))
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: stream, Array(block[cut...])) + data
        }
        if chance(12) {
            return frame(FrameType.headers, flags: Flag.endHeaders | Flag.padded, stream: stream, [2] + block + [0, 0])
                + data
        }
        if chance(8) {
            return frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.priority, stream: stream, [0, 0, 0, 0, 7] + block)
                + data
        }
        return frame(FrameType.headers, flags: Flag.endHeaders, stream: stream, block) + data
    }

    private mutating func resized() -> [UInt8] {
        table = []
        return [0x20, 0x3f, 0xe1, 0x1f]  // resize to 0 and back to 4096
    }

    private mutating func represent(_ field: (String, String)) -> [UInt8] {
        if let place = table.firstIndex(where: { $0 == field }), place + 62 < 127, !chance(20) {
            return [0x80 | UInt8(place + 62)]
        }
        // Repeated values are sometimes indexed; `authorization` never is, as with most clients.
        if field.0 != "authorization", field.0 != ":path", chance(3), table.count < 20 {
            table.insert(field, at: 0)
            return headerBlock([field], representation: 0x40)
        }
        return headerBlock([field], representation: field.0 == "authorization" ? 0x10 : 0x00)
    }
}
