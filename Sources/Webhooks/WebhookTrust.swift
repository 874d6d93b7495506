internal import Files
internal import HTTP1Client
internal import Synchronization
internal import TLSEngine

/// TLS clients for webhooks, one for each set of authorities: reading the system's takes milliseconds.
final class WebhookTrust: Sendable {
    /// By the authorities as PEM; nil for the system's.
    private let clients = Mutex<[String?: TLSClientContext]>([:])

    /// - Parameter file: PEM, read each time; nil for the system's authorities.
    func client(_ file: String?) throws(HTTPProblem) -> TLSClientContext {
        let authorities = try file.map { file throws(HTTPProblem) in try Self.text(file) }
        return try clients.withLock { clients throws(HTTPProblem) in
            if let known = clients[authorities] { return known }
            let made = try Self.makeClient(authorities, file)
            // Bounds the cache if the file changes often.
            if clients.count > WebhookTable.maximumCount { clients = [:] }
            clients[authorities] = made
            return made
        }
    }

    private static func text(_ file: String) throws(HTTPProblem) -> String {
        do throws(FileProblem) {
            return try FileStore.text(file)
        } catch {
            throw .unreachable("ca: \(file): \(error.reason)")
        }
    }

    private static func makeClient(_ authorities: String?, _ file: String?) throws(HTTPProblem) -> TLSClientContext {
        do throws(TLSError) {
            return try TLSClientContext(authorities: authorities, protocol: "http/1.1")
        } catch {
            throw .unreachable("ca: \(file ?? ""): \(error); use a PEM file")
        }
    }
}
