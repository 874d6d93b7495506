import HTTP2Engine
import RequestWire
import TestSupport
import Testing

@testable import ProviderServer

@Suite(.timeLimit(.minutes(5))) struct ClearTextListenerTests {
    @Test(arguments: ["127.0.0.1", "::1"]) func `serves HTTP/2 with prior knowledge`(_ host: String) async throws {
        try await withClient(.clearText, host: host) { client, _, _ in
            try await client.send(preface + headers(endStream: true))
            #expect(try await client.frame { $0.type == FrameType.headers } != nil)
        }
    }

    @Test func `serves HTTP/2 when its preface arrives in pieces`() async throws {
        try await withClient(.clearText) { client, _, log in
            for byte in preface { try await client.send([byte]) }
            await log.wait(for: "settings 0")
            try await client.send(headers(endStream: true))
            #expect(try await client.frame { $0.type == FrameType.headers } != nil)
        }
    }

    @Test func `serves several HTTP/1.1 requests on one connection`() async throws {
        try await withClient(.clearText) { client, _, _ in
            let request = "POST /3/device/aa HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}"
            for _ in 0..<3 {
                try await client.send(request)
                let answer = try await client.text(until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
                #expect(answer.contains("x-http: HTTP/1.1\r\n"))
            }
            try await client.send(request + request)
            _ = try await client.text(until: "x-target: none\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK")
        }
    }

    @Test func `reports the size of a chunked body`() async throws {
        try await withClient(.clearText) { client, _, log in
            try await client.send(
                "POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
            )
            await log.wait(for: "request 5")
        }
    }

    @Test func `answers Expect with 100 Continue`() async throws {
        try await withClient(.clearText) { client, _, _ in
            try await client.send(
                "POST / HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
            #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue"))
            try await client.send("{}")
            #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
        }
    }

    @Test func `rejects an HTTP/1.1 head over the limit`() async throws {
        try await withClient(.clearText) { client, _, log in
            let filler = String(repeating: "a", count: 8000)
            try await client.send(
                "POST / HTTP/1.1\r\nhost: localhost\r\nx-filler: \(filler)\r\ncontent-length: 0\r\n\r\n")
            #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 431"))
            await log.wait(for: "header list")
        }
    }

    @Test(arguments: ["\u{16}\u{3}\u{1}", "GARBAGE\r\n\r\n", "\0\0\0\0\0\0"])
    func `garbage ends the connection, and the next one is served`(_ nonsense: String) async throws {
        try await withServer(.clearText) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(nonsense + "\r\n\r\n")
                _ = try await client.rest()
            }
            try await RawClient.withConnection(to: port) { client in
                try await client.send(preface + headers(endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
            }
        }
    }

    @Test func `a response to HEAD has a length and no body`() async throws {
        try await withClient(.clearText) { client, _, _ in
            try await client.send("HEAD /body HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.contains("content-length: 100\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n"), "\(answer)")
        }
    }

    @Test(arguments: [(65_000, "200"), (66_000, "431")])
    func `an HTTP/1.1 head may be as long as the setting says`(_ count: Int, _ status: String) async throws {
        try await withClient(.clearText, edit: { $0.http2.maximumHeaderListSize = 65_536 }) { client, _, _ in
            let filler = (0..<10).map { "x-\($0): \(String(repeating: "a", count: count / 10 - 40))\r\n" }.joined()
            try await client.send("POST / HTTP/1.1\r\nhost: a\r\n\(filler)content-length: 0\r\n\r\n")
            let answer = try await client.text(until: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
        }
    }

    @Test func `a body that is not read has the length it announced`() async throws {
        try await withClient(.clearText) { client, _, log in
            try await client.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100021\r\n\r\n")
            try await client.send([UInt8](repeating: 0x78, count: 65537))
            await log.wait(for: "request 100021")
        }
    }

    @Test func `a body that is too long is answered before its end`() async throws {
        try await withClient(.clearText) { client, _, _ in
            try await client.send("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 20000000\r\n\r\n")
            try await client.send([UInt8](repeating: 0x78, count: 65537))
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("connection: close"), "\(answer)")
        }
    }

    @Test(arguments: [
        ("POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n", "400", "exactly one Host"),
        ("POST / HTTP/1.1\r\nhost: a\r\nhost: b\r\ncontent-length: 0\r\n\r\n", "400", "exactly one Host"),
        ("POST / HTTP/1.0\r\ncontent-length: 0\r\n\r\n", "200", ""),
        ("BREW / HTTP/1.1\r\nhost: a\r\n\r\n", "405", "MethodNotAllowed"),
        ("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", "400", "BadRequest"),
    ])
    func `a request that breaks HTTP/1.1 gets a reason`(_ request: String, _ status: String, _ body: String)
        async throws
    {
        try await withClient(.clearText) { client, _, _ in
            try await client.send(request)
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            #expect(body.isEmpty || answer.contains(body), "\(answer)")
        }
    }

    @Test(
        arguments: [
            ("/3/device/aa", "/3/device/aa", nil), ("http://b:1/3/device/aa", "/3/device/aa", "b:1"),
            ("HTTPS://b", "/", "b"), ("https://b?c", "/?c", "b"), ("*", "*", nil), ("ftp://b/", "ftp://b/", nil),
        ] as [(String, String, String?)])
    func `a target may be a whole URL`(_ text: String, _ path: String, _ authority: String?) {
        let target = RequestTarget(text)
        #expect((target.path, target.authority) == (path, authority))
    }
}
