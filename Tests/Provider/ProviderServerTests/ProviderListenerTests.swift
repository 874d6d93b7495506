import RequestWire
import TLSEngine
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ProviderListenerTests {
    /// So much that the channel becomes unwritable and writable again while it is written.
    @Test(arguments: [Traffic.provider, .clearText]) func `sends a large answer once`(_ traffic: Traffic) async throws {
        try await withClient(traffic) { client, _, _ in
            let hugeWindow = frame(FrameType.settings, [0, 4] + bigEndian(0x7fff_ffff))
            try await client.send(preface + hugeWindow + frame(FrameType.windowUpdate, bigEndian(1 << 20)))
            try await client.send(headers(path: "/large"))
            var frames: [SentFrame] = []
            while frames.last?.flags != Flag.endStream || frames.last?.type != FrameType.data {
                frames += try await client.some()
            }
            try await client.send(frame(FrameType.ping, Array("no more?".utf8)))
            while frames.last?.type != FrameType.ping { frames += try await client.some() }
            #expect(frames.count { $0.type == FrameType.headers } == 1)
            #expect(frames.reduce(0) { $0 + ($1.type == FrameType.data ? $1.payload.count : 0) } == 100_000)
        }
    }

    @Test func `sends SETTINGS before anything else, without waiting for the client's`() async throws {
        try await withClient(.provider) { client, _, _ in
            let first = try await client.frames().first
            #expect(first?.type == FrameType.settings)
        }
    }

    @Test(arguments: [[], ["h2"], ["h2", "http/1.1"]])
    func `serves HTTP/2 regardless of the client's ALPN`(_ protocols: [String]) async throws {
        try await withClient(.provider, isInsideTLS: false) { client, _, _ in
            var tls = TLSClient()
            tls.protocols = protocols
            try await client.startTLS(tls)
            try await client.send(preface + headers(endStream: true))
            #expect(try await client.frame { $0.type == FrameType.headers } != nil)
        }
    }

    @Test func `answers HTTP/1.1 inside TLS as APNs does`() async throws {
        try await withClient(.provider) { client, _, _ in
            try await client.send("POST /3/device/aa HTTP/1.1\r\nhost: localhost\r\n\r\n")
            let goAway = try #require(try await client.frame { $0.type == FrameType.goAway })
            let text = String(decoding: goAway.payload.dropFirst(8), as: UTF8.self)
            #expect(
                text.hasPrefix(
                    "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: 504f5354202f332f"
                ))
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test func `answers clear text on the TLS port as APNs does`() async throws {
        try await withClient(.provider, isInsideTLS: false) { client, _, _ in
            try await client.send("POST /3/device/aa HTTP/1.1\r\nhost: localhost\r\n\r\n")
            let frames = SentFrame.all(in: try await client.rest())
            #expect(frames.map(\.type) == [FrameType.settings, FrameType.goAway])
        }
    }

    @Test func `TLS garbage ends the connection, and the next one is served`() async throws {
        try await withServer(.provider) { port, _, _ in
            try await RawClient.withConnection(to: port) { client in
                try await client.send([22, 3, 1, 0, 5] + [0xff, 0xff, 0xff, 0xff, 0xff])
                _ = try await client.rest()
            }
            try await RawClient.withConnection(to: port) { client in
                try await client.startTLS()
                try await client.send(preface + headers(endStream: true))
                #expect(try await client.frame { $0.type == FrameType.headers } != nil)
            }
        }
    }

    @Test func `a rejected connection gets GOAWAY with no stream processed`() async throws {
        let issued = try TestCertificates.authority.get().issueClient(
            ClientCertificateRequest(.universal, bundleID: "com.example.app", teamID: nil), now: TestCertificates.now)
        try await withClient(.provider, isInsideTLS: false) { client, _, log in
            var tls = TLSClient()
            tls.identity = (issued.certificate.pem, issued.key.pem)
            try await client.startTLS(tls)
            try await client.send(preface + headers(endStream: true))
            let goAway = try #require(try await client.frame { $0.type == FrameType.goAway })
            #expect(goAway.payload == [0, 0, 0, 0, 0, 0, 0, 0] + Array("no certificates".utf8))
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test func `answers PING at once while a request waits`() async throws {
        try await withClient(.provider) { client, _, log in
            try await client.send(preface + headers(path: "/hold") + frame(FrameType.ping, [1, 2, 3, 4, 5, 6, 7, 8]))
            let pong = try await client.frame { $0.type == FrameType.ping }
            #expect(pong?.flags == Flag.ack)
            await log.wait(for: "ping")
        }
    }

    @Test func `reports the end of a connection`() async throws {
        try await withServer(.provider) { port, _, log in
            try await RawClient.withConnection(to: port) { client in
                try await client.startTLS()
                try await client.send(preface)
                await log.wait(for: "settings 0")
            }
            await log.wait(for: "closed")
        }
    }
}

extension RawClient {
    /// At least one frame; throws when the peer closed.
    fileprivate func some() async throws -> [SentFrame] {
        let frames = try await frames()
        return try #require(frames.isEmpty ? nil : frames, "the server closed")
    }
}
