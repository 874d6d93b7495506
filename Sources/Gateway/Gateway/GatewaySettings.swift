package import APNs
internal import JSON
internal import RequestWire

/// The settings of `auth`, `reasons`, `redact`, `strict`, `streams` and `tokens` in `config.yaml`, with their defaults.
package struct GatewaySettings: Sendable, Equatable {
    package var authenticationMode = AuthenticationMode.verify
    package var leniency = TokenLeniency()
    package var tokenPolicy = TokenPolicy()
    package var spelling = APNsReason.Spelling.observed
    package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    /// Rejects background pushes with priority 10 as `BadPriority`. Apple calls them an error; no rejection is known.
    package var refusesBackgroundPriority10 = false
    /// Rejects payloads that are not JSON objects. APNs does not parse payloads.
    package var refusesMalformedPayload = false
    package var unknownTokens = UnknownTokens.register
    /// Answers unknown tokens of `MagicTokens` with their reason.
    package var answersMagicTokens = false
    /// Allows one stream until the first accepted push, as APNs does.
    package var oneStreamUntilAccepted = true
    /// Allows one stream from a rejected push until the next accepted one, as APNs did around 2017.
    package var oneStreamAfterRejection = false
    /// SETTINGS_MAX_CONCURRENT_STREAMS once a connection is trusted.
    package var streamLimit: UInt32 = 1000
    /// For requests whose host name is not Apple's.
    package var defaultEnvironment = APNsEnvironment.sandbox

    /// Names from the payload inwards, of members whose values are replaced before anything is recorded.
    package var redactedMembers: [[String]] = []
    /// Replaces device tokens in answers of the admin API.
    package var redactsDeviceTokens = false
    /// Replaces key IDs there.
    package var redactsKeyIDs = false

    package enum AuthenticationMode: String, CaseIterable, Codable, Sendable {
        /// Tokens of registered keys must verify; tokens of unknown keys are accepted and flagged.
        case verify
        /// Only registered keys.
        case strict
        case off
    }

    /// The handling of a well-formed device token that was never issued.
    package enum UnknownTokens: String, CaseIterable, Codable, Sendable {
        case register
        case reject
    }

    package init() {}
}

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
