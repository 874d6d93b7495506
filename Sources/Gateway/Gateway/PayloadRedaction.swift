internal import JSON
internal import RequestWire

extension GatewaySettings {
    private static let text = "[redacted]"
    /// Replaces a payload whose members cannot be found; invalid like the original.
    private static let unreadable = Array("[redacted: not JSON]".utf8)

    /// A payload without the values of `redactedMembers`; byte for byte the same if it has none.
    func redacting(_ payload: [UInt8]) -> [UInt8] {
        guard !redactedMembers.isEmpty, !payload.isEmpty else { return payload }
        guard let json = JSONValue(payload.span.bytes) else { return Self.unreadable }
        let redacted = redactedMembers.reduce(json) { Self.redact($1[...], in: $0) }
        return redacted == json ? payload : redacted.bytes
    }

    /// A name after an array means any of its elements, as in queries.
    private static func redact(_ path: ArraySlice<String>, in json: JSONValue) -> JSONValue {
        guard let name = path.first else { return withoutValues(json) }
        switch json {
        case .object(var members):
            if let member = members[name] { members[name] = redact(path.dropFirst(), in: member) }
            return .object(members)
        case .array(let elements): return .array(elements.map { redact(path, in: $0) })
        default: return json
        }
    }

    /// The same shape, so that a device decodes it in the same way.
    private static func withoutValues(_ json: JSONValue) -> JSONValue {
        switch json {
        case .null: .null
        case .bool: .bool(false)
        case .integer, .number: .integer(0)
        case .string, .verbatim: .string(text)
        case .array(let elements): .array(elements.map(withoutValues))
        case .object(let members): .object(JSONObject(members.map { ($0.key, withoutValues($0.value)) }))
        }
    }
}

extension ProviderConnection {
    /// The redacted request, the only form that is recorded.
    func redacted(_ request: consuming RequestBlock) -> RequestBlock {
        request.replaceBody(settings.redacting(request.body))
        return request
    }
}
