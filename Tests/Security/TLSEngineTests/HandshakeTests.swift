import TLSEngine
import TestSupport
import Testing

@Suite struct HandshakeTests {
    @Test(arguments: [(true, "TLSv1.2"), (false, "TLSv1.3")])
    func `negotiates h2 and transfers bytes in both directions`(isLimitedToTLS12: Bool, version: String) throws {
        var client = TLSClient()
        client.isLimitedToTLS12 = isLimitedToTLS12
        client.authority = TestIdentity.authority.certificate.pem
        var pair = try Pair(client: client)
        try pair.pump()
        try pair.client.send(Array("to the server".utf8).span.bytes)
        try pair.server.send(Array("to the client".utf8).span.bytes)
        try pair.pump()
        let handshake = try #require(pair.server.handshake)
        #expect(handshake.version == version)
        #expect(handshake.selectedProtocol == "h2")
        #expect(handshake.serverName == "localhost")
        #expect(handshake.clientCertificate == nil)
        #expect(pair.serverPlaintext == Array("to the server".utf8))
        #expect(pair.clientPlaintext == Array("to the client".utf8))
    }

    /// BoringSSL rejects addresses in a certificate whose authority has name constraints for them; a client that connects to an
    /// address needs them, and sends no server name (RFC 6066 §3).
    @Test(arguments: [true, false], ["localhost", "unknown.example", nil, "127.0.0.1", "::1"] as [String?])
    func `a client that names a host gets a certificate without addresses`(isLimitedToTLS12: Bool, name: String?) throws
    {
        var configuration = TestIdentity.configuration()
        configuration.hostCertificate = TestIdentity.host.chain
        var client = TLSClient()
        client.isLimitedToTLS12 = isLimitedToTLS12
        client.serverName = name
        var pair = try Pair(configuration, client: client)
        try pair.pump()
        let shown = try #require(TLSClient.certificate(of: pair.client))
        let isHost = name == "localhost" || name == "unknown.example"
        #expect(shown.alternativeNames == (isHost ? ["localhost"] : ["localhost", "127.0.0.1", "::1"]))
        #expect(pair.server.handshake?.selectedProtocol == "h2")
    }

    @Test func `a certificate for hosts must use the server's key`() throws {
        var configuration = TestIdentity.configuration()
        configuration.hostCertificate = try TestIdentity.authority.issueServer(
            names: ["localhost"], now: TestIdentity.now
        ).certificate.pem
        let error = #expect(throws: TLSError.self) { try TLSContext(configuration) }
        #expect(error?.kind == .unusableCertificate)
    }

    @Test func `a renegotiation is rejected, counted, and fails at the client`() throws {
        var client = TLSClient()
        client.isLimitedToTLS12 = true
        var pair = try Pair(client: client)
        try pair.pump()
        TLSClient.renegotiate(pair.client)
        #expect(throws: TLSError.self) { try pair.pump() }
        #expect(pair.server.lateHandshakeCount > 0)
        #expect(pair.serverProgress == .open)
    }

    @Test func `a client may update its keys a hundred times`() throws {
        var pair = try Pair()
        try pair.pump()
        for _ in 0..<100 {
            TLSClient.updateKeys(of: pair.client)
            try pair.pump()
        }
        #expect(pair.server.lateHandshakeCount == 100)
        TLSClient.updateKeys(of: pair.client)
        #expect(throws: TLSError(.handshakeFlood)) { try pair.pump() }
    }

    @Test func `a message of many records arrives whole`() throws {
        var pair = try Pair()
        try pair.pump()
        let message = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try pair.client.send(message.span.bytes)
        try pair.pump()
        #expect(pair.serverPlaintext == message)
    }

    @Test func `bytes may arrive one by one`() throws {
        var pair = try Pair()
        _ = try pair.client.receive([UInt8]().span.bytes, into: &pair.clientPlaintext)
        while pair.server.handshake == nil {
            for byte in pair.client.takeOutput() {
                _ = try pair.server.receive([byte].span.bytes, into: &pair.serverPlaintext)
            }
            for byte in pair.server.takeOutput() {
                _ = try pair.client.receive([byte].span.bytes, into: &pair.clientPlaintext)
            }
        }
        #expect(pair.server.handshake?.selectedProtocol == "h2")
    }

    @Test func `a client without ALPN is served by default`() throws {
        var client = TLSClient()
        client.protocols = []
        var pair = try Pair(client: client)
        try pair.pump()
        let handshake = try #require(pair.server.handshake)
        #expect(handshake.offeredProtocols.isEmpty)
        #expect(handshake.selectedProtocol == nil)
    }

    @Test func `a client without ALPN is rejected if configured`() throws {
        var configuration = TestIdentity.configuration()
        configuration.acceptsMissingALPN = false
        var client = TLSClient()
        client.protocols = []
        var pair = try Pair(configuration, client: client)
        #expect(throws: TLSError(.noApplicationProtocol(offered: []))) { try pair.pump() }
    }

    @Test(arguments: [true, false])
    func `a client that offers only other protocols is rejected with no_application_protocol`(
        isLimitedToTLS12: Bool
    ) throws {
        var client = TLSClient()
        client.protocols = ["http/1.1", "spdy/3"]
        client.isLimitedToTLS12 = isLimitedToTLS12
        var pair = try Pair(client: client)
        #expect(throws: TLSError(.noApplicationProtocol(offered: ["http/1.1", "spdy/3"]))) { try pair.pump() }
        #expect(pair.server.handshake == nil)
        let alert = pair.server.takeOutput()
        let error = #expect(throws: TLSError.self) {
            _ = try pair.client.receive(alert.span.bytes, into: &pair.clientPlaintext)
        }
        #expect(error?.reasons.contains { $0.contains("no application protocol") } == true, "\(error?.reasons ?? [])")
    }

    /// RFC 9113, appendix A prohibits suites without ephemeral keys and those with CBC.
    @Test(arguments: [
        ("ECDHE-ECDSA-AES128-GCM-SHA256", true), ("ECDHE-ECDSA-AES256-GCM-SHA384", true),
        ("ECDHE-ECDSA-CHACHA20-POLY1305", true), ("ECDHE-ECDSA-AES128-SHA", false),
        ("ECDHE-ECDSA-AES256-SHA384", false), ("ECDHE-ECDSA-AES128-SHA256", false), ("ECDHE-ECDSA-AES128-CCM8", false),
    ]) func `TLS 1_2 offers only the cipher suites that HTTP/2 permits`(_ suite: String, isTaken: Bool) throws {
        var client = TLSClient()
        client.isLimitedToTLS12 = true
        client.tls12Ciphers = suite
        var pair = try Pair(client: client)
        if isTaken {
            try pair.pump()
            #expect(pair.server.handshake?.cipher == suite)
        } else {
            let error = #expect(throws: TLSError.self) { try pair.pump() }
            // With OpenSSL 3.5 a client cannot even offer CCM8, so no handshake gives a reason.
            let isNotOffered = suite.hasSuffix("CCM8") && error?.reasons == []
            let isRefused = error?.reasons.contains { $0.contains("no shared cipher") } == true
            #expect(isRefused || isNotOffered, "\(error?.reasons ?? [])")
        }
    }

    @Test func `clear text is recognised by its first byte`() throws {
        let server = try TLSConnection(context: TLSContext(TestIdentity.configuration()))
        let request = Array("POST /3/device/aa HTTP/1.1\r\n\r\n".utf8)
        var plaintext: [UInt8] = []
        #expect(throws: TLSError(.clearText(request))) { _ = try server.receive(request.span.bytes, into: &plaintext) }
    }

    @Test func `a handshake is bounded in size`() throws {
        var configuration = TestIdentity.configuration()
        configuration.maximumHandshakeByteCount = 100
        var pair = try Pair(configuration)
        #expect(throws: TLSError(.handshakeTooLong)) { try pair.pump() }
    }

    @Test func `damaged records cause an error, never a crash`() throws {
        let context = try TLSContext(TestIdentity.configuration())
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            let client = try TLSClient().connect()
            let server = try TLSConnection(context: context)
            var plaintext: [UInt8] = []
            _ = try client.receive([UInt8]().span.bytes, into: &plaintext)
            var hello = client.takeOutput()
            for _ in 0..<1 + Int(random.next() % 4) {
                hello[Int(random.next() % UInt64(hello.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            let cut = Int(random.next() % UInt64(hello.count))
            for part in [Array(hello[..<cut]), Array(hello[cut...])] {
                _ = try? server.receive(part.span.bytes, into: &plaintext)
            }
            _ = server.takeOutput()
        }
    }

    @Test func `a damaged record after the handshake is a violation`() throws {
        var pair = try Pair()
        try pair.pump()
        try pair.client.send([1, 2, 3].span.bytes)
        var record = pair.client.takeOutput()
        record[record.count - 1] ^= 1
        let damaged = record
        let error = #expect(throws: TLSError.self) {
            _ = try pair.server.receive(damaged.span.bytes, into: &pair.serverPlaintext)
        }
        #expect(error?.kind == .protocolViolation)
    }

    @Test func `the end of a connection is reported`() throws {
        var pair = try Pair()
        try pair.pump()
        pair.client.close()
        try pair.pump()
        #expect(pair.serverProgress == .closed)
    }
}
