import RequestWire
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProxyListenerTests {
    @Test func `terminates TLS for APNs' host names`() async throws {
        try await withClient(.proxy) { client, _, _ in
            try await client.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\nhost: api.push.apple.com:443\r\n\r\n")
            #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            try await client.startTLS()
            try await client.send(preface + headers(endStream: true))
            #expect(try await client.frame { $0.type == FrameType.headers } != nil)
        }
    }

    static let refusals = [
        ("CONNECT example.com:443 HTTP/1.1", "403 Forbidden"),
        ("CONNECT api.push.apple.com:22 HTTP/1.1", "403 Forbidden"),
        ("CONNECT 127.0.0.1:443 HTTP/1.1", "403 Forbidden"),
        ("CONNECT api.push.apple.com.evil.test:443 HTTP/1.1", "403 Forbidden"),
        ("GET http://example.com/ HTTP/1.1", "405 Method Not Allowed"),
        ("HEAD / HTTP/1.1\r\nhost: a", "405 Method Not Allowed"),
        ("CONNECT api.push.apple.com:99999999999999999999 HTTP/1.1", "403 Forbidden"),
        ("nonsense", "400 Bad Request"),
        ("CONNECT api.push.apple.com HTTP/1.1", "400 Bad Request"),
        ("CONNECT api.push.apple.com: HTTP/1.1", "400 Bad Request"),
        ("CONNECT [::1] HTTP/1.1", "400 Bad Request"),
    ]

    @Test(arguments: refusals) func `rejects other hosts`(_ line: String, _ status: String) async throws {
        try await withClient(.proxy) { client, _, _ in
            try await client.send(line + "\r\n\r\n")
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"))
            #expect(!line.hasPrefix("HEAD") || answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    @Test func `host names are compared without case and final dot`() async throws {
        for target in ["API.Push.Apple.com:443", "api.push.apple.com.:2197"] {
            try await withClient(.proxy) { client, _, _ in
                try await client.send("CONNECT \(target) HTTP/1.1\r\n\r\n")
                #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func `the head of a request is bounded`() async throws {
        try await withClient(.proxy) { client, _, _ in
            try await client.send("CONNECT " + String(repeating: "a", count: 9000))
            #expect(String(decoding: try await client.rest(), as: UTF8.self).hasPrefix("HTTP/1.1 400"))
        }
    }
}
