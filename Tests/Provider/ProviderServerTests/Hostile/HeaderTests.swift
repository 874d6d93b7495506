import RequestWire
import TestSupport
import Testing

/// Header blocks that are small to send and large to decode, or just large.
extension HostileTests {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct HeaderTests {
        struct Row: CustomTestStringConvertible, Sendable {
            var testDescription: String
            /// The expected end of the connection; `nil` if it is answered.
            var code: HTTP2ErrorCode?
            /// How many streams.
            var turns = 1
            var bytes: @Sendable (Int32) -> [UInt8]
        }

        static let ready = preface + frame(FrameType.settings, flags: Flag.ack)

        /// HEADERS and as many CONTINUATION frames as the block needs.
        static func request(_ block: [UInt8], stream: Int32) -> [UInt8] {
            var rest = block.dropFirst(16384)
            var bytes = frame(
                FrameType.headers, flags: Flag.endStream | (rest.isEmpty ? Flag.endHeaders : 0), stream: stream,
                Array(block.prefix(16384)))
            while !rest.isEmpty {
                let part = rest.prefix(16384)
                rest = rest.dropFirst(16384)
                bytes += frame(
                    FrameType.continuation, flags: rest.isEmpty ? Flag.endHeaders : 0, stream: stream, Array(part))
            }
            return bytes
        }

        static let plain = headerBlock(plainFields)
        /// A field that fills the HPACK table (4096 bytes with its overhead) and is then referenced by one byte, index 62.
        static let bomb =
            plain + headerBlock([("x", String(repeating: "b", count: 4000))], representation: 0x40)
            + Array(repeating: 0xbe, count: 12_000)
        /// Literal fields with neither name nor value: three bytes each.
        static let nothing: [UInt8] = [0, 0, 0]

        static let churn = Array(repeating: 0x20, count: 16_000) + plain
        static let refill =
            [0x20, 0x3f, 0xe1, 0x1f] + plain
            + headerBlock([("x", String(repeating: "b", count: 4000))], representation: 0x40)
            + headerBlock([("y", String(repeating: "c", count: 3000))], representation: 0x40)

        static let rows = [
            Row(testDescription: "an HPACK bomb", code: .enhanceYourCalm) { request(bomb, stream: $0) },
            Row(testDescription: "an HPACK bomb in trailers", code: .enhanceYourCalm) {
                headers(stream: $0) + request(Array(bomb.dropFirst(plain.count)), stream: $0)
            },
            Row(testDescription: "empty fields", code: .enhanceYourCalm) {
                request(plain + (0..<5000).flatMap { _ in nothing }, stream: $0)
            },
            Row(testDescription: "fields with a name and no value", code: .enhanceYourCalm) {
                request(plain + (0..<4000).flatMap { _ in headerBlock([("x", "")]) }, stream: $0)
            },
            Row(testDescription: "many fields within the bound") {
                request(plain + (0..<1000).flatMap { _ in headerBlock([("x", "y")]) }, stream: $0)
            },
            Row(testDescription: "one field over the list, within the bound") {
                request(plain + headerBlock([("x", String(repeating: "y", count: 12_000))]), stream: $0)
            },
            Row(testDescription: "a block over the bound", code: .enhanceYourCalm) {
                request(plain + headerBlock([("x", String(repeating: "y", count: 65_536))]), stream: $0)
            },
            Row(testDescription: "a string shorter than its declared length", code: .compressionError) {
                request(plain + [0, 1, 0x78, 0x7f, 0x10, 0x79], stream: $0)
            },
            Row(testDescription: "an integer without end", code: .compressionError) {
                request(plain + [0xff] + Array(repeating: 0xff, count: 40), stream: $0)
            },
            Row(testDescription: "a length of gigabytes", code: .compressionError) {
                request(plain + [0, 1, 0x78, 0x7f, 0xff, 0xff, 0xff, 0xff, 0x07], stream: $0)
            },
            // The rest are large valid requests, which are answered: their size pays for them.
            Row(testDescription: "table-size churn", turns: 100) { request(churn, stream: $0) },
            Row(testDescription: "a table forgotten and filled with every request", turns: 300) {
                request(refill, stream: $0)
            },
        ]

        @Test(arguments: rows) func `header blocks are bounded`(_ row: Row) async throws {
            let bytes = (0..<row.turns).flatMap { row.bytes(Int32($0 * 2 + 1)) }
            try await besiege(name: row.testDescription, rounds: row.turns == 1 ? 20 : 2, ends: nil) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready)
                    try? await client.send(bytes)
                    guard let code = row.code else {
                        let last = Int32(row.turns * 2 - 1)
                        let answer = try await client.frame { $0.type == FrameType.headers && $0.stream == last }
                        #expect(answer != nil)
                        return
                    }
                    let goodbye = try await client.goodbye()
                    #expect(goodbye?.code == code.number)
                }
            }
        }
    }
}
