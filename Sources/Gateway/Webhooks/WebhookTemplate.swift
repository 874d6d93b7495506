internal import Clients
internal import DeviceModel
internal import Fields
internal import JSON
internal import Queries

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
