import HTTP2Engine
import ProviderServer
import RequestWire
import TLSEngine
import TestSupport
import Testing

extension HostileTests {
    /// Repeated handshakes on an established connection.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct HandshakeFloodTests {
        /// `HandshakeTests` covers the renegotiation of TLS 1.2, which fails at the client.
        @Test func `a flood of KeyUpdate ends the connection`() async throws {
            try await besiege(traffic: .provider, ends: .handshakeFlood) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.startTLS()
                    try await client.send(FloodTests.ready)
                    try? await client.flood { TLSClient.updateKeys(of: $0) }
                    _ = try? await client.rest()
                }
            }
        }

        @Test func `a client that updates its keys occasionally is served`() async throws {
            try await withServer(.provider) { port, server, _ in
                try await RawClient.withConnection(to: port) { client in
                    try await client.startTLS()
                    try await client.send(FloodTests.ready)
                    for turn in 0..<Int32(90) {
                        try await client.handshake { TLSClient.updateKeys(of: $0) }
                        try await client.send(headers(stream: turn * 2 + 1, endStream: true))
                        let answer = try await client.frame { $0.type == FrameType.headers }
                        #expect(answer?.stream == turn * 2 + 1)
                    }
                }
                #expect(server.attacks[.handshakeFlood] == 0)
            }
        }
    }
}

extension RawClient {
    /// Starts one handshake after another until the peer closes.
    fileprivate func flood(_ turn: (TLSConnection) -> Void) async throws {
        for _ in 0..<10_000 { try await handshake(turn) }
    }
}
