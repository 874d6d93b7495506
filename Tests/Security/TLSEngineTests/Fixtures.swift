import Foundation
import TLSEngine
import TestSupport

/// One authority and one server for all tests, because generating keys is slow.
enum TestIdentity {
    /// The system's clock: OpenSSL checks certificates against it.
    static let now = Int64(Date().timeIntervalSince1970)
    static let authority = make { try CertificateAuthority(names: ["localhost", "127.0.0.1", "::1"], now: now) }
    static let server = make { try authority.issueServer(names: ["localhost", "127.0.0.1", "::1"], now: now) }

    /// The same key without addresses, for clients that name a host.
    static let host = make { try authority.issueServer(names: ["localhost"], key: server.key, now: now) }

    private static func make<Value>(_ body: () throws -> Value) -> Value {
        do { return try body() } catch { preconditionFailure("\(error)") }
    }

    static func configuration() -> TLSConfiguration {
        TLSConfiguration(
            certificateChain: server.chain, privateKey: server.key.pem,
            clientAuthorities: authority.certificate.pem + authority.intermediate.pem)
    }
}

/// A client and a server joined without sockets.
struct Pair {
    let client: TLSConnection
    let server: TLSConnection
    var clientPlaintext: [UInt8] = []
    var serverPlaintext: [UInt8] = []
    var serverProgress = TLSProgress.handshaking

    init(_ configuration: TLSConfiguration = TestIdentity.configuration(), client: TLSClient = TLSClient()) throws {
        try self.init(context: TLSContext(configuration), client: client)
    }

    init(context: TLSContext, client: TLSClient) throws {
        self.client = try client.connect()
        server = try TLSConnection(context: context)
    }

    /// Exchanges bytes until neither side has more to send.
    mutating func pump() throws {
        _ = try? client.receive([UInt8]().span.bytes, into: &clientPlaintext)
        while true {
            let toServer = client.takeOutput()
            if !toServer.isEmpty { serverProgress = try server.receive(toServer.span.bytes, into: &serverPlaintext) }
            let toClient = server.takeOutput()
            if !toClient.isEmpty { _ = try client.receive(toClient.span.bytes, into: &clientPlaintext) }
            if toServer.isEmpty, toClient.isEmpty { return }
        }
    }
}
