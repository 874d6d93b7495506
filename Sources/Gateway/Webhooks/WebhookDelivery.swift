internal import Clients
package import DeviceModel
package import DeviceSimulator
internal import Fields
internal import Files
internal import JSON
internal import NIOCore
internal import NIOPosix
internal import Queries
internal import Synchronization
internal import TLSEngine
internal import Time

/// An event on its way to a webhook.
package struct WebhookDelivery: Sendable {
    /// Before each further attempt, in real time; after the last one a delivery is abandoned.
    package static let retryDelays: [Duration] = [
        .seconds(1), .seconds(3), .seconds(10), .seconds(30), .seconds(60),
    ]

    package let device: String
    /// The device's at the event.
    package let life: DeviceLife
    package let event: DeviceEvent
    /// Equal for every attempt, and for the same event of an identical run.
    package let id: String

    package init(_ event: DeviceEvent, on device: String, in life: DeviceLife, to webhook: String) {
        (self.device, self.life) = (device, life)
        self.event = event
        // A number may come again: after a deletion or another state, and at the same time on a manual clock.
        let words = [
            "pushcote-delivery-2", webhook, device, String(life.generation), String(life.deletedBefore),
            String(event.number), event.notification.map { String($0) } ?? "", event.at.text, event.kind.rawValue,
        ]
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
    /// The webhook's in the table.
    let number: UInt64
    let delivery: WebhookDelivery
    /// The body without a template.
    let standardBody: [UInt8]
    let trust: WebhookTrust
    /// The gateway's own.
    var listeners: [HostPort] = []

    func send() async -> WebhookOutcome {
        do throws(HTTPProblem) {
            guard let target = try? HTTPTarget(url) else { return .failed("the URL is not valid") }
            if await HostPort(host: target.host, port: target.port).leadsToOne(of: listeners) {
                return .failed("the URL leads to this gateway itself: each delivery would cause the next")
            }
            let body = body
            var call = HTTPCall(
                host: target.host, port: target.port, authority: target.authority, method: webhook.method.rawValue,
                target: target.path, headers: headers(body), body: ByteBuffer(bytes: body),
                connectTimeout: webhook.timeout)
            if target.needsTLS {
                let (client, host) = (try await trust.client(webhook.authorities, of: number), target.host)
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
    private typealias File = EventLoopFuture<Result<String, FileProblem>>

    /// By the number of the webhook. Each is read once, on a thread where a file may block.
    private let files = Mutex<[UInt64: File]>([:])
    /// By the authorities as PEM; nil for the system's.
    private let clients = Mutex<[String?: TLSClientContext]>([:])

    /// Reads the files of webhooks that were set, and forgets those of others.
    func read(_ webhooks: [(number: UInt64, file: String)]) {
        files.withLock { files in
            files = Dictionary(
                uniqueKeysWithValues: webhooks.map { ($0.number, files[$0.number] ?? Self.reading($0.file)) })
        }
    }

    /// - Parameter file: PEM; nil for the system's authorities.
    func client(_ file: String?, of number: UInt64) async throws(HTTPProblem) -> TLSClientContext {
        let authorities = try await text(file, of: number)
        return try clients.withLock { clients throws(HTTPProblem) in
            if let known = clients[authorities] { return known }
            do throws(TLSError) {
                let made = try TLSClientContext(authorities: authorities, protocol: "http/1.1")
                // Bounds the cache if webhooks change often.
                if clients.count > WebhookTable.maximumCount { clients = [:] }
                clients[authorities] = made
                return made
            } catch {
                throw .unreachable("ca: \(file ?? ""): \(error); use a PEM file")
            }
        }
    }

    private func text(_ file: String?, of number: UInt64) async throws(HTTPProblem) -> String? {
        guard let file else { return nil }
        // A webhook that was set a moment ago may not be in the list yet.
        let reading = files.withLock { $0[number] } ?? Self.reading(file)
        do {
            return try await reading.get().get()
        } catch {
            throw .unreachable("ca: \(file): \((error as? FileProblem)?.reason ?? "\(error)")")
        }
    }

    /// Why a file cannot be used; nil if it can.
    static func problem(of file: String) async -> String? {
        do {
            let text = try await reading(file).get().get()
            _ = try TLSClientContext(authorities: text, protocol: "http/1.1")
            return nil
        } catch {
            return (error as? FileProblem)?.reason ?? "\(error); use a PEM file"
        }
    }

    private static func reading(_ file: String) -> File {
        NIOThreadPool.singleton.runIfActive(eventLoop: MultiThreadedEventLoopGroup.singleton.any()) {
            Result { () throws(FileProblem) in try FileStore.text(file, isRegular: true) }
        }
    }
}

/// A text with placeholders such as `{token}`, filled in from an event.
struct WebhookTemplate {
    enum Escaping {
        /// For use inside a JSON string.
        case json
        /// For a URL or a form (RFC 3986 §2.3).
        case percent
    }

    private enum Part {
        case text(Substring)
        case placeholder(String)
    }

    /// Names in every event, then names in the details of some.
    static let placeholders =
        ["event", "at", "number", "notification", "app", "device", "details"]
        + [
            "kind", "topic", "environment", "token", "type", "activity", "replaces", "reason", "actionIdentifier",
            "userText", "title", "body",
        ]

    private let parts: [Part]

    /// Letters in braces are a placeholder; other braces are text, so that JSON needs no escaping.
    init(_ text: String) {
        var parts: [Part] = []
        var start = text.startIndex
        for match in text.matches(of: /\{([A-Za-z]+)\}/) {
            parts.append(.text(text[start..<match.range.lowerBound]))
            parts.append(.placeholder(String(match.output.1)))
            start = match.range.upperBound
        }
        self.parts = parts + [.text(text[start...])]
    }

    /// About the first placeholder that no event fills.
    func problem(at path: FieldPath) -> FieldProblem? {
        for case .placeholder(let name) in parts where !Self.placeholders.contains(name) {
            let remedy =
                NearestName.of(name, among: Self.placeholders).map { "did you mean {\($0)}?" }
                ?? "accepted: \(Self.placeholders.map { "{\($0)}" }.joined(separator: ", "))"
            return FieldProblem(path, "has the unknown placeholder {\(name.prefix(60))}", remedy)
        }
        return nil
    }

    /// A placeholder that the event does not fill is empty.
    func text(_ event: DeviceEvent, on device: String, _ escaping: Escaping) -> String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .text(let plain): text += plain
            case .placeholder(let name): text += escaping.escape(event.value(of: name, on: device))
            }
        }
    }
}

extension DeviceEvent {
    fileprivate func value(of placeholder: String, on device: String) -> String {
        Self.roots.names.contains(placeholder) ? Self.text(document(on: device)(placeholder)) : text(placeholder)
    }
}

extension WebhookTemplate.Escaping {
    fileprivate func escape(_ text: String) -> String {
        switch self {
        case .json: String(JSONValue.string(text).text.dropFirst().dropLast())
        case .percent: percentEncoded(text)
        }
    }
}
