internal import DeviceModel
internal import Lint

/// The rules of advice about a request. Those that also hold for a push that is not sent are in `Lint`.
extension RequestFindings {
    private static let requests = "doc: Sending notification requests to APNs"
    private static let tokens = "doc: Establishing a token-based connection to APNs"
    private static let activities = "doc: ActivityKit push notifications"

    private static let rules = [
        FindingRule(
            "relay.differs", .warning, "docs/relay.md", "the upstream answered differently",
            fix: "GET /requests/{number} has both answers"),
        FindingRule(
            "bc.expiration", .error, "L5.3",
            "a broadcast needs apns-expiration: 0, or seconds since 1970 on a channel that stores messages",
            fix: "apns-expiration: 0"),
        FindingRule(
            "bc.priority", .error, "L5.3", "a broadcast needs apns-priority: 10, 5 or 1", fix: "apns-priority: 10"),
        FindingRule(
            "bc.size", .warning, "L5.3", "a device drops Live Activity data over 4096 bytes, which APNs accepts",
            fix: "shorten `content-state`"),
        FindingRule(
            "bc.noSubscribers", .info, "L5.3", "no device is subscribed to the channel",
            fix: "start an activity with the channel: `input-push-channel`"),
        FindingRule(
            "la.broadcast.start", .error, activities,
            "a broadcast cannot start activities: devices drop it; send a start to push-to-start tokens",
            fix: #"{"aps": {"event": "update", …}}"#),
        FindingRule(
            "la.certificate", .error, activities,
            "Live Activities need a provider token (.p8); APNs does not support certificates for them",
            fix: "authorization: bearer …"),
        FindingRule(
            "connection.http1", .warning, requests, "APNs speaks HTTP/2 only and would close the connection",
            fix: "a client that speaks HTTP/2, such as curl --http2"),
        FindingRule(
            "connection.clear-text", .info, requests, "received without TLS: APNs requires TLS",
            fix: "https:// and the port of `listen.provider`"),
        FindingRule(
            "token.unknown-key", .warning, tokens,
            "the token's key is not registered here, so its signature was not checked",
            fix: "POST /keys with the key, or auth.mode: strict to reject such tokens"),
        FindingRule(
            "token.key-id", .info, tokens, "the key would be unknown to APNs", fix: #"{"alg": "ES256", "kid": "…"}"#),
        FindingRule(
            "token.off", .info, tokens, "no credentials were checked, because `auth.mode` is off",
            fix: "auth.mode: verify"),
        FindingRule(
            "priority.background", .warning, requests,
            "a background push needs apns-priority 5; Apple calls 10, the default without the header, an error",
            fix: "apns-priority: 5"),
        FindingRule(
            "expiration.past", .info, requests,
            "apns-expiration has already passed, so the push is tried once and never stored",
            fix: "apns-expiration: 0 says the same"),
        FindingRule(
            "expiration.milliseconds", .warning, requests, "APNs reads apns-expiration in seconds since 1970",
            fix: "apns-expiration: 1926403200"),
        FindingRule(
            "expiration.ttl", .warning, requests,
            "apns-expiration looks like a lifetime; APNs reads a date in seconds since 1970, so this one has passed",
            fix: "apns-expiration: 1926403200"),
        FindingRule(
            "voip.exp", .warning, "doc: Responding to VoIP notifications from PushKit",
            "a VoIP push needs apns-expiration 0 or a few seconds: a stored one rings when the call is over",
            fix: "apns-expiration: 0"),
        FindingRule(
            "content-encoding", .warning, requests, "APNs does not decode payloads",
            fix: "no content-encoding, and the payload as plain JSON"),
        FindingRule(
            "headers.unknown", .warning, requests, "APNs ignores a header that is none of its own",
            fix: "apns-collapse-id: order-17"),
    ]

    private static let rulesByID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })

    static func rule(_ id: String) -> FindingRule {
        guard let rule = rulesByID[id] ?? Lint.rule(id)?.rule else { preconditionFailure("there is no rule \(id)") }
        return rule
    }
}
