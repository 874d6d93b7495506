import AsyncHTTPClient
import NIOSSL

/// A back end that tells customers about their orders.
public struct Shop {
    /// Without a path: `https://api.push.apple.com`.
    var apns: String
    /// For the header `authorization`.
    var providerToken: String
    var client: HTTPClient

    /// - Parameter authority: The certificate authority to trust as PEM; nil for the system's.
    public init(apns: String, providerToken: String, authority: String? = nil) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authority { tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8))) }
        (self.apns, self.providerToken) = (apns, providerToken)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(tlsConfiguration: tls))
    }

    /// Notifies a customer's device that an order is on its way; returns APNs' status.
    public func ship(order: Int, to deviceToken: String) async throws -> UInt {
        var request = HTTPClientRequest(url: "\(apns)/3/device/\(deviceToken)")
        request.method = .POST
        request.headers = [
            "authorization": "bearer \(providerToken)", "apns-topic": "com.example.app", "apns-push-type": "alert",
        ]
        request.body = .bytes(
            Array(#"{"aps":{"alert":{"title":"Order \#(order)","body":"On its way"},"sound":"default"}}"#.utf8))
        let answer = try await client.execute(request, timeout: .seconds(30))
        return answer.status.code
    }

    public func close() async throws { try await client.shutdown() }
}
