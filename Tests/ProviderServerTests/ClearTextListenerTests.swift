import ProviderServer
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(5))) struct ClearTextListenerTests {
    @Test func `serves HTTP/2 with prior knowledge`() async throws {
        try await withServer(.clearText) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(preface + headers(endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
            }
        }
    }

    @Test func `serves HTTP/2 when its preface arrives in pieces`() async throws {
        try await withServer(.clearText) { port, _, log in
            try await RawClient.withConnection(to: port) { client in
                for byte in preface { try await client.send([byte]) }
                await log.wait(for: "settings 0")
                try await client.send(headers(endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
            }
        }
    }

    @Test func `serves several HTTP/1.1 requests on one connection`() async throws {
        try await withServer(.clearText) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
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
    }

    @Test func `reports the size of a chunked body`() async throws {
        try await withServer(.clearText) { port, _, log in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(
                    "POST / HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
                )
                await log.wait(for: "request 5")
            }
        }
    }

    @Test func `answers Expect with 100 Continue`() async throws {
        try await withServer(.clearText) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
                try await client.send(
                    "POST / HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n")
                #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue"))
                try await client.send("{}")
                #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 OK"))
            }
        }
    }

    @Test func `rejects an HTTP/1.1 head over the limit`() async throws {
        try await withServer(.clearText) { port, _, log in
            try await RawClient.withConnection(to: port) { client in
                let filler = String(repeating: "a", count: 8000)
                try await client.send(
                    "POST / HTTP/1.1\r\nhost: localhost\r\nx-filler: \(filler)\r\ncontent-length: 0\r\n\r\n")
                #expect(try await client.text(until: "\r\n\r\n").hasPrefix("HTTP/1.1 431"))
                await log.wait(for: "header list")
            }
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

    @Test func `listens on IPv6`() async throws {
        try await withServer(.clearText, host: "::1") { port, _, _ in
            try await RawClient.withConnection(to: port, host: "::1") { client in
                try await client.send(preface + headers(endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
            }
        }
    }
}
