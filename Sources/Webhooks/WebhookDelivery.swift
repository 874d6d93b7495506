internal import APNs
package import DeviceModel
internal import Files
internal import HTTP1Client
internal import JSON
internal import NIOCore
internal import Synchronization
internal import TLSEngine
internal import TLSSocket

/// An event on its way to a webhook.
package struct WebhookDelivery: Sendable {
    package let device: String
    package let event: DeviceEvent
    /// Equal for every attempt, and for the same event of another run.
    package let id: String

    package init(_ event: DeviceEvent, on device: String, to webhook: String) {
        self.device = device
        self.event = event
        let words = ["pushcote-delivery-1", webhook, device, String(event.number), event.at.text, event.kind.rawValue]
        let digest = SHA256.digest(Array(words.joined(separator: "\n").utf8).span.bytes)
        id = Array(digest.prefix(16)).hexadecimal
    }
}

package enum WebhookOutcome: Sendable, Hashable {
    case accepted(status: Int)
    /// The receiver's answer shows that a retry would not help.
    case refused(status: Int)
    case failed(String)

    init(_ status: Int) {
        switch status {
        case 200..<300: self = .accepted(status: status)
        case 408, 425, 429, 500...: self = .failed("answered \(status)")
        default: self = .refused(status: status)
        }
    }

    /// nil for success.
    var error: String? {
        switch self {
        case .accepted: nil
        case .refused(let status):
            "answered \(status)" + ((300..<400).contains(status) ? "; redirects are not followed" : "")
        case .failed(let error): error
        }
    }
}

/// A request that carries a delivery.
struct WebhookRequest {
    /// Only the status counts; the rest of an answer is read and discarded.
    private static let maximumAnswerByteCount = 65_536

    let webhook: Webhook
    let delivery: WebhookDelivery
    /// The body without a template.
    let standardBody: [UInt8]
    let trust: WebhookTrust

    func send() async -> WebhookOutcome {
        do throws(HTTPProblem) {
            guard let target = try? HTTPTarget(url) else { return .failed("the URL is not valid") }
            let body = body
            var call = HTTPCall(
                host: target.host, port: target.port, authority: target.authority, method: webhook.method.rawValue,
                target: target.path, headers: headers(body), body: ByteBuffer(bytes: body),
                connectTimeout: webhook.timeout)
            if target.needsTLS {
                let (client, host) = (try trust.client(webhook.authorities), target.host)
                call.encryption = { TLSClientHandler(client, host: host) }
            }
            let answer = try await call.answer(
                maximumByteCount: Self.maximumAnswerByteCount, isTruncated: true, timeout: webhook.timeout)
            return WebhookOutcome(answer.status)
        } catch {
            return .failed(error.sentence)
        }
    }

    var url: String { WebhookTemplate(webhook.url).text(delivery.event, on: delivery.device, .percent) }

    var body: [UInt8] {
        guard let template = webhook.body else { return standardBody }
        let escaping: WebhookTemplate.Escaping =
            contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true ? .percent : .json
        return Array(WebhookTemplate(template).text(delivery.event, on: delivery.device, escaping).utf8)
    }

    private var contentType: String? { webhook.headers.first { $0.key.lowercased() == "content-type" }?.value }

    func headers(_ body: [UInt8]) -> [(name: String, value: String)] {
        var headers: [(name: String, value: String)] = [
            ("pushcote-event", delivery.event.kind.rawValue), ("pushcote-delivery", delivery.id),
        ]
        if contentType == nil { headers.append(("content-type", "application/json")) }
        if let secret = webhook.secret {
            let code = HMACSHA256.code(of: body.span.bytes, key: Array(secret.utf8).span.bytes)
            headers.append(("pushcote-signature", "sha256=" + code.hexadecimal))
        }
        return headers + webhook.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension HTTPProblem {
    fileprivate var sentence: String {
        switch self {
        case .connectTimeout: "no connection within the timeout"
        case .unreachable(let reason): "no connection: \(reason)"
        case .closed: "the connection ended before the answer"
        case .notHTTP, .spokeFirst: "the answer is not HTTP"
        case .tooLong: "the answer is too long"
        case .answerTimeout: "no complete answer within the timeout"
        }
    }
}

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
