import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// A provider as Swift back ends have it: async-http-client, which APNSwift and Vapor send with, over BoringSSL.
///
///     swift-client AUTHORITY URL ADDRESS BEARER TOPIC COUNT
///
/// Sends COUNT pushes to URL, whose host it finds at ADDRESS, and prints protocol and status of each answer. What fails is
/// printed as a line, too.
@main struct SwiftClient {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 7, let count = Int(arguments[6]), let host = host(of: arguments[2]) else {
            print("usage: swift-client AUTHORITY URL ADDRESS BEARER TOPIC COUNT")
            return
        }
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(arguments[1]))
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.dnsOverride = [host: arguments[3]]
        configuration.timeout.connect = .seconds(10)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let request = push(to: arguments[2], bearer: arguments[4], topic: arguments[5])
        // The first opens the connection that all others share.
        print(await outcome(of: request, client))
        await withTaskGroup(of: String.self) { tasks in
            for _ in 1..<max(1, count) { tasks.addTask { await outcome(of: request, client) } }
            for await line in tasks { print(line) }
        }
        try await client.shutdown()
    }

    private static func push(to url: String, bearer: String, topic: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers = ["authorization": "bearer \(bearer)", "apns-topic": topic, "apns-push-type": "alert"]
        request.body = .bytes(
            ByteBuffer(string: #"{"aps":{"alert":{"title":"Tea","body":"It is ready."},"sound":"default"}}"#))
        return request
    }

    /// `HTTP/2.0 200`, or why there was no answer.
    private static func outcome(of request: HTTPClientRequest, _ client: HTTPClient) async -> String {
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            _ = try await response.body.collect(upTo: 65536)
            return "\(response.version) \(response.status.code)"
        } catch {
            return "\(error)"
        }
    }

    /// `localhost` of `https://localhost:2197/…`.
    private static func host(of url: String) -> String? {
        let parts = url.split(separator: "/")
        guard parts.count > 1 else { return nil }
        return parts[1].split(separator: ":").first.map(String.init)
    }
}
