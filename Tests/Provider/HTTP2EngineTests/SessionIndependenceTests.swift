import HTTP2Engine
import TestSupport
import Testing

/// Concurrent sessions are independent.
@Suite struct SessionIndependenceTests {
    /// The output of a session whose client keeps many streams open, with small and large headers.
    private struct Conversation {
        let session: HTTP2Session
        var output: [UInt8] = []
        private var stream: Int32 = 1

        init(_ session: HTTP2Session) throws {
            self.session = session
            _ = try session.receive(preface)
        }

        /// Many streams, then the answers to all.
        mutating func turn(_ number: Int) throws {
            var bytes: [UInt8] = []
            var open: [Int32] = []
            for index in 0..<300 {
                let value = String(repeating: "v", count: index * 7 % 1500)
                bytes += headers(
                    plainFields + [("x-\(number)-\(index)", value)], stream: stream, endStream: index % 2 == 0)
                open.append(stream)
                stream += 2
            }
            _ = try session.receive(bytes)
            for stream in open {
                var response = Response(status: 200)
                response.addField("apns-id", "\(number)")
                if stream % 3 == 0 { response.body = Array("{}".utf8) }
                try session.respond(to: stream, with: response)
            }
            try session.takeOutput(into: &output)
        }
    }

    @Test func concurrentSessionsSendTheSame() throws {
        var alone = try Conversation(HTTP2Session(settings: HTTP2Settings()))
        for number in 0..<6 { try alone.turn(number) }
        var lasting = try Conversation(HTTP2Session(settings: HTTP2Settings()))
        for number in 0..<6 {
            var passing = try Conversation(HTTP2Session(settings: HTTP2Settings()))
            try passing.turn(0)
            try lasting.turn(number)
            try passing.turn(1)
            #expect(passing.output == Array(alone.output.prefix(passing.output.count)))
        }
        #expect(lasting.output == alone.output)
        #expect(!alone.output.isEmpty)
    }

    @Test func aSessionKeepsItsOpenStreams() throws {
        var conversation = try Conversation(
            HTTP2Session(settings: HTTP2Settings()))
        for number in 0..<2 { try conversation.turn(number) }
        // Half of the requests never end and get no answer.
        #expect(conversation.session.openStreamCount == 2 * 300 / 2)
    }
}
