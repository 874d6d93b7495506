internal import Clients
package import DeviceModel
internal import DeviceSimulator
package import Fields
internal import JSON
package import Queries
internal import Time

/// A URL that receives the events of devices.
package struct Webhook: Sendable, Hashable {
    package var name = ""
    package var url = ""
    package var method = Method.post
    package var headers: [String: String] = [:]
    /// Empty for all.
    package var events: [EventSelector] = []
    package var app: String?
    package var device: String?
    package var condition: WrittenQuery?
    /// nil for the event as `GET /devices/{name}/events` has it, with its device.
    package var body: String?
    package var secret: String?
    /// A PEM file of the authorities to trust; nil trusts the system's.
    package var authorities: String?
    package var timeout = Duration.seconds(5)

    package enum Method: String, CaseIterable, Codable, Sendable {
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    package init() {}

    /// One that forwards an app's tokens to its back end.
    package init(tokensOf app: String) {
        name = Self.tokenPrefix + app
        events = [.kind(.tokenIssued)]
        self.app = app
    }

    /// Where its requests go; nil for a URL that is not valid. Placeholders are behind the host.
    package var target: HostPort? { example.map { HostPort(host: $0.host, port: $0.port) } }

    /// The URL as filled in from an event.
    private var example: HTTPTarget? {
        let event = DeviceEvent(number: 1, at: Instant(milliseconds: 0), kind: .act)
        return try? HTTPTarget(WebhookTemplate(url).text(event, on: "device", .percent))
    }

    /// Whether its requests would reach one of these listeners of this gateway.
    ///
    /// - Note: Blocks while it resolves a name.
    package func leads(to listeners: [HostPort]) -> Bool { target?.leads(to: listeners) ?? false }

    /// Why its file of authorities cannot be used; nil if it can, or if there is none.
    package func authoritiesProblem() async -> FieldProblem? {
        guard let authorities, let problem = await WebhookTrust.problem(of: authorities) else { return nil }
        return FieldProblem(FieldPath().member("ca"), "cannot be used", "\(authorities.prefix(200)): \(problem)")
    }

    package static let tokenPrefix = "tokens:"

    package func selects(_ event: DeviceEvent, on device: String) -> Bool {
        if let own = self.device, own != device { return false }
        if let app, app != event.app { return false }
        guard event.kind != .webhookResult, events.isEmpty || events.contains(where: { $0.selects(event) }) else {
            return false
        }
        return condition?.matches(event.document(on: device)) ?? true
    }
}

extension Webhook: FieldDescribed {
    package static let fields: [Field<Webhook>] =
        [
            Field("name", \.name, .name, "Its name in addresses and answers.").required,
            Field(
                "events", \.events, .list(EventSelector.format),
                "The kinds of events to send, or words for what a person does; all when absent."),
            Field("app", \.app, .optional(.topic), "Send only this app's events."),
            Field("device", \.device, .optional(.name), "Send only this device's events."),
            Field(
                "where", \.condition, .optional(.query(roots: DeviceEvent.roots)),
                "Send only events that meet these conditions, as in docs/queries.md."),
        ] + deliveryFields

    /// The address and how to send; the other members select what to send.
    package static let deliveryFields: [Field<Webhook>] = [
        Field("url", \.url, .name, "An http:// or https:// address; may contain placeholders such as {token}.")
            .required,
        Field("method", \.method, .word(), "The method of the requests."),
        Field(
            "headers", \.headers, .map(.text, of: "names of headers with their values"),
            "Headers of the requests; their values are never shown."),
        Field(
            "body", \.body, .optional(template),
            "The requests' body, a text or an object with placeholders such as {token}; the event when absent."),
        Field(
            "secret", \.secret, .optional(.name), "The key of the HMAC-SHA256 in pushcote-signature; never shown."),
        Field(
            "ca", \.authorities, .optional(.path),
            "A PEM file of the authorities to trust at an https:// address; the system's when absent."),
        Field("timeout", \.timeout, timeoutFormat, "How long to wait for an answer, at most 60s."),
    ]

    private static let timeoutFormat: FieldFormat<Duration> = .duration(atMost: .seconds(60), "60s")

    /// An object is written as its text.
    private static let template: FieldFormat<String> = .custom(
        "a text or an object", .any,
        read: { json in
            switch json {
            case .string(let text): text
            case .object: json.text
            default: nil
            }
        }, write: { .string($0) })

    package static let maximumTemplateByteCount = 65_536

    package static let checks: [FieldCheck<Webhook>] = [
        FieldCheck { webhook in
            let name = webhook.name
            if name.utf8.count <= 300, name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }) {
                return []
            }
            return [
                FieldProblem(
                    FieldPath().member("name"), "is not a webhook's name",
                    "accepted: at most 300 bytes without '/', spaces and control characters")
            ]
        },
        FieldCheck { webhook in webhook.urlProblems + webhook.headerProblems },
        FieldCheck { webhook in
            [("url", webhook.url), ("body", webhook.body ?? "")].flatMap { name, text -> [FieldProblem] in
                if text.utf8.count > maximumTemplateByteCount {
                    return [FieldProblem(FieldPath().member(name), "is too long", "accepted: at most 64 KiB")]
                }
                return WebhookTemplate(text).problem(at: FieldPath().member(name)).map { [$0] } ?? []
            }
        },
        FieldCheck(at: "timeout", found: "is 0s", remedy: "accepted: a duration above 0") { $0.timeout <= .zero },
    ]

    private var urlProblems: [FieldProblem] {
        guard !url.isEmpty else { return [] }
        let path = FieldPath().member("url")
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        if example?.authority == String(authority) { return [] }
        return [
            FieldProblem(
                path, "is not a URL",
                "accepted: one such as http://127.0.0.1:9000/tokens/{token}, without "
                    + "a user and with placeholders only behind the host")
        ]
    }

    /// The gateway writes these itself.
    static let ownHeaders: Set<String> = [
        "host", "connection", "content-length", "transfer-encoding", "pushcote-event", "pushcote-delivery",
        "pushcote-signature",
    ]

    private var headerProblems: [FieldProblem] {
        headers.sorted { $0.key < $1.key }.compactMap { name, value in
            let path = FieldPath().member("headers").member(String(name.prefix(60)))
            if Self.ownHeaders.contains(name.lowercased()) {
                return FieldProblem(path, "is set by the gateway", "accepted: another name")
            }
            let isName =
                !name.isEmpty
                && name.utf8.allSatisfy { byte in
                    byte > 0x20 && byte < 0x7F && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
                }
            if isName, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) { return nil }
            return FieldProblem(path, "is not a header", "accepted: a name and a value of one line (RFC 9110 §5)")
        }
    }
}

/// A webhook's selection of events: an event kind, or a name for an act of the person.
package enum EventSelector: Sendable, Hashable {
    case kind(DeviceEvent.Kind)
    case word(Word)

    package enum Word: String, CaseIterable, Sendable {
        /// A push reached the app or the person.
        case delivered
        /// The person opened a notification.
        case tapped
        /// The person chose an action of a notification.
        case acted
        /// The person removed a notification without opening it.
        case dismissed
    }

    static let words = Word.allCases.map(\.rawValue) + kinds.map(\.rawValue)
    /// Results are not sent, because each would cause another.
    static let kinds = DeviceEvent.Kind.allCases.filter { $0 != .webhookResult }

    init?(_ text: String) {
        if let word = Word(rawValue: text) {
            self = .word(word)
        } else if let kind = DeviceEvent.Kind(rawValue: text), Self.kinds.contains(kind) {
            self = .kind(kind)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .kind(let kind): kind.rawValue
        case .word(let word): word.rawValue
        }
    }

    static let format: FieldFormat<EventSelector> = .word(
        "a kind of event, or \(Word.allCases.map(\.rawValue).joined(separator: ", "))", among: words,
        read: { EventSelector($0) }, write: \.text)

    func selects(_ event: DeviceEvent) -> Bool {
        switch self {
        case .kind(let kind): event.kind == kind
        case .word(.delivered): Self.deliveries.contains(event.kind)
        case .word(.tapped): event.kind == .response && event.action == ActionIdentifier.default
        case .word(.acted):
            event.kind == .response && event.action != ActionIdentifier.default
                && event.action != ActionIdentifier.dismiss
        case .word(.dismissed): event.kind == .removed && ["dismissed", "cleared"].contains(event.text("reason"))
        }
    }

    private static let deliveries: Set<DeviceEvent.Kind> = [
        .contentDelivered, .backgroundPush, .call, .complication, .fileProvider, .locationQuery, .mdm, .pushToTalk,
        .widgets, .controls, .liveActivity,
    ]
}

extension DeviceEvent {
    /// The members that conditions read.
    package static let roots = QueryRoots([
        "device": .text, "at": .time, "event": .words(Kind.allCases.map(\.rawValue)), "number": .number,
        "notification": .number, "app": .text, "details": nil,
    ])

    package func document(on device: String) -> Document {
        { name in
            switch name {
            case "device": .string(device)
            case "at": .string(at.text)
            case "event": .string(kind.rawValue)
            case "number": .integer(number)
            case "notification": notification.map { .integer($0) }
            case "app": app.map { .string($0) }
            case "details": .object(details)
            default: nil
            }
        }
    }

    fileprivate var action: String { text("actionIdentifier") }

    /// A detail; empty when the event has none of this name.
    func text(_ name: String) -> String { Self.text(details[name]) }

    static func text(_ member: JSONValue?) -> String {
        switch member {
        case nil, .null: ""
        case .string(let text): text
        case let value?: value.text
        }
    }
}
