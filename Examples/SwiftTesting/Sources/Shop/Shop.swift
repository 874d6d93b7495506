import Foundation

/// A back end that tells customers about their orders. It pushes with curl, so that this package needs nothing but Pushcote; yours
/// may use APNSwift or async-http-client (docs/clients.md).
public struct Shop: Sendable {
    /// Without a path: `https://api.push.apple.com`.
    var apns: String
    /// For the header `authorization`.
    var providerToken: String
    var authorityFile: String?

    /// - Parameter authorityFile: The certificate authority to trust, in PEM; nil for the system's.
    public init(apns: String, providerToken: String, authorityFile: String? = nil) {
        (self.apns, self.providerToken, self.authorityFile) = (apns, providerToken, authorityFile)
    }

    /// Notifies a customer's device that an order is on its way; returns APNs' status.
    public func ship(order: Int, to deviceToken: String) async throws -> Int {
        let curl = Process()
        curl.executableURL = URL(filePath: "/usr/bin/env")
        curl.arguments =
            [
                "curl", "--silent", "--show-error", "--http2", "--noproxy", "localhost", "--max-time", "30",
                "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}",
                "--header", "authorization: bearer \(providerToken)",
                "--header", "apns-topic: com.example.app", "--header", "apns-push-type: alert",
                "--data", #"{"aps":{"alert":{"title":"Order \#(order)","body":"On its way"},"sound":"default"}}"#,
            ] + (authorityFile.map { ["--cacert", $0] } ?? []) + ["\(apns)/3/device/\(deviceToken)"]
        let output = Pipe()
        curl.standardOutput = output
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            curl.terminationHandler = { _ in ended.resume() }
            do { try curl.run() } catch { ended.resume(throwing: error) }
        }
        let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(separator: " ")
        guard answer.first == "2", let status = Int(answer[1]) else { throw ShopError.unreachable }
        return status
    }
}

/// What keeps a customer from hearing of an order.
public enum ShopError: Error {
    /// curl, or APNs over HTTP/2; curl prints why.
    case unreachable
}
