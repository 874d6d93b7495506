import TLSEngine
import Testing

/// The client side of TLS checks the server's authority and name.
@Suite struct ClientContextTests {
    /// Exchanges bytes until both sides wait.
    private func connect(to host: String, _ authorities: String?) throws -> TLSConnection {
        let server = try TLSConnection(context: TLSContext(TestIdentity.configuration()))
        let client = try TLSClientContext(authorities: authorities).connect(to: host)
        var (bytes, plaintext): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<4 {
            do throws(TLSError) { _ = try client.receive(bytes.span.bytes, into: &plaintext) } catch { return client }
            bytes = client.takeOutput()
            _ = try server.receive(bytes.span.bytes, into: &plaintext)
            bytes = server.takeOutput()
        }
        return client
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `the right authority and name are trusted`(_ host: String) throws {
        let client = try connect(to: host, TestIdentity.authority.certificate.pem)
        #expect(client.distrust == nil)
        #expect(client.handshake?.selectedProtocol == "h2")
    }

    @Test(arguments: ["other.example", "127.0.0.2"]) func `another name is rejected`(_ host: String) throws {
        let client = try connect(to: host, TestIdentity.authority.certificate.pem)
        #expect(client.handshake == nil)
        #expect(client.distrust?.contains("mismatch") == true)
    }

    @Test func `the system's authorities do not trust a gateway`() throws {
        let client = try connect(to: "localhost", nil)
        #expect(client.handshake == nil)
        #expect(client.distrust != nil)
    }
}
