internal import Fields
internal import JSON

/// A named set of rules that reproduces a failure of APNs.
package struct FaultScenario: Sendable, Hashable, Codable {
    /// The number in `docs/faults.md`, such as `G1`; scenarios may share one or have none.
    package var id: String?
    /// Also the name of the first rule; later rules append `-2`, `-3` and so on.
    package var name: String
    package var summary: String
    package var rules: [FaultRule]

    /// - Parameter rules: JSON as in `POST /faults`, without names.
    init(_ id: String?, _ name: String, _ summary: String, _ rules: String...) {
        self.id = id
        self.name = name
        self.summary = summary
        self.rules = rules.enumerated().map { index, text in
            var rule = FaultRule()
            rule.name = index == 0 ? name : "\(name)-\(index + 1)"
            guard let json = JSONValue(Array(text.utf8).span.bytes), (try? rule.apply(json)) != nil else {
                preconditionFailure("not a fault rule: \(text)")
            }
            return rule
        }
    }

    /// A rule that replaces the gateway's answer.
    static func answering(_ status: Int, _ reason: String, match: String = "{}") -> String {
        #"{"match": \#(match), "effect": {"answer": {"status": \#(status), "reason": "\#(reason)"}}}"#
    }

    /// Finds a scenario by name, or by number in any case; scenarios that share a number alternate.
    package static func named(_ text: String) -> FaultScenario? {
        if let found = all.first(where: { $0.name == text }) { return found }
        let sharing = all.filter { $0.id == text.uppercased() }
        guard var first = sharing.first, sharing.count > 1 else { return sharing.first }
        // The first matching rule fires, so rules with `every` precede the one that always matches.
        let others = sharing.dropFirst().flatMap(\.rules).map { rule in
            var rule = rule
            rule.match.every = sharing.count
            return rule
        }
        first.rules = others + first.rules
        return first
    }

    package static var names: [String] {
        all.reduce(into: []) { names, scenario in
            for name in [scenario.id, scenario.name].compactMap(\.self) where !names.contains(name) {
                names.append(name)
            }
        }
    }
}

extension FaultScenario {
    /// In the order of `docs/faults.md`.
    package static let all: [FaultScenario] = [
        // Connections that end or stop answering.
        FaultScenario(
            "G1", "goaway-and-linger",
            "After its third push a connection gets GOAWAY, stays open, and accepts no new streams.",
            #"{"match": {"nth": 3, "per": "connection"}, "effect": {"goAway": {"closes": false}}}"#),
        FaultScenario(
            "G2", "goaway-unprocessed",
            "The third push of a connection is answered with a GOAWAY whose last-stream-id is below it.",
            """
            {"match": {"nth": 3, "per": "connection"},
            "effect": {"goAway": {"reason": "Shutdown", "unprocessed": 1}}}
            """),
        FaultScenario(
            "G3", "broken-certificate-environment",
            "Every connection ends before its first request: GOAWAY BadCertificateEnvironment, and one without a "
                + "reason.",
            #"{"stage": "open", "effect": {"goAway": {"reason": "BadCertificateEnvironment", "times": 2}}}"#),
        FaultScenario(
            "G4", "connection-reset", "The second push of a connection causes a TCP reset, without GOAWAY.",
            #"{"match": {"nth": 2, "per": "connection"}, "effect": {"connection": {"how": "reset"}}}"#),
        FaultScenario(
            "G5", "never-answered", "Every third push is never answered; its stream stays open.",
            #"{"match": {"every": 3}, "effect": {"loses": "request"}}"#),
        FaultScenario(
            "G6", "half-dead-connection", "From its second push on, a connection stays open and silent.",
            #"{"match": {"nth": 2, "per": "connection"}, "effect": {"connection": {"how": "silence"}}}"#),
        FaultScenario(
            "G7", "stale-after-idle",
            "A connection that was once idle for an hour answers its expired provider token with 500; a newer "
                + "token is valid.",
            """
            {"match": {"verdict": "ExpiredProviderToken", "idle": "1h"},
            "effect": {"expiresToken": true, "answer": {"status": 500, "reason": "InternalServerError"}}}
            """),
        // Limits.
        FaultScenario(
            "G8", "stream-limit-one", "A new connection may have one stream until its first accepted push.",
            #"{"stage": "open", "effect": {"streamLimit": 1}}"#),
        FaultScenario(
            "G9", "stream-limit-after-rejection",
            "After a rejected push a connection may have one stream until its next accepted push.",
            #"{"match": {"verdict": "refused"}, "effect": {"streamLimit": 1}}"#),
        FaultScenario(
            "G10", "streams-violated",
            "The second push of a connection is answered with a GOAWAY about too many streams.",
            """
            {"match": {"nth": 2, "per": "connection"}, "effect": {"goAway": {"code": "REFUSED_STREAM", "unprocessed": 1,
            "debugData": "Maximum active streams violated for this endpoint."}}}
            """),
        FaultScenario(
            "G11", "token-storm", "Of every ten pushes, five in a row get 429 TooManyProviderTokenUpdates.",
            answering(429, "TooManyProviderTokenUpdates", match: #"{"every": 10, "run": 5}"#)),
        FaultScenario(
            "G12", "wedged-after-expiry",
            "Once a provider token has expired, its connection also rejects every later one; another connection "
                + "accepts it.",
            answering(403, "ExpiredProviderToken", match: #"{"after": "ExpiredProviderToken"}"#),
            #"{"match": {"verdict": "ExpiredProviderToken"}, "effect": {"expiresToken": true}}"#),
        FaultScenario(
            "G13", "clock-skew", "Every push gets 403 for an expired token; every third one of a connection gets 429.",
            answering(429, "TooManyProviderTokenUpdates", match: #"{"every": 3, "per": "connection"}"#),
            answering(403, "ExpiredProviderToken")),
        // Answers that clients misread.
        FaultScenario(
            "G14", "timestamp-in-milliseconds",
            "Every push gets 410 with a timestamp in milliseconds; every second answer for a token has no timestamp.",
            """
            {"match": {"every": 2, "per": "token"},
            "effect": {"answer": {"status": 410, "reason": "Unregistered", "omits": ["timestamp"]}}}
            """,
            answering(410, "Unregistered")),
        FaultScenario(
            "G15", "fractional-expiration",
            "A push whose apns-expiration is not a whole number gets 400; the rule counts these pushes.",
            answering(400, "BadExpirationDate", match: #"{"verdict": "BadExpirationDate"}"#)),
        FaultScenario(
            "G16", "wrong-environment", "Every device token belongs to the other environment: 400 BadDeviceToken.",
            answering(400, "BadDeviceToken")),
        FaultScenario(
            "G16", "single-environment-key",
            "The provider's key is limited to the other environment: 403 BadEnvironmentKeyInToken.",
            answering(403, "BadEnvironmentKeyInToken")),
        FaultScenario(
            "G17", "unknown-reason", "Every second push gets 400 with an undocumented reason.",
            answering(400, "ReasonOfTomorrow", match: #"{"every": 2}"#)),
        FaultScenario(
            "G18", "odd-error-bodies",
            "Every push gets 400, alternately with a body in two DATA frames and without a body.",
            """
            {"match": {"every": 2},
            "effect": {"answer": {"status": 400, "reason": "BadDeviceToken", "omits": ["body"]}}}
            """,
            #"{"effect": {"answer": {"status": 400, "reason": "BadDeviceToken", "bodyFrames": 2}}}"#),
        FaultScenario(
            "G19", "lost-answer",
            "The first push for each token is accepted, but the connection is reset instead of an answer.",
            """
            {"match": {"verdict": "accepted", "nth": 1, "per": "token"},
            "effect": {"loses": "answer", "connection": {"how": "reset", "when": "after"}}}
            """),
        FaultScenario(
            "G20", "unavailable-bursts",
            "Bursts of five 503 Shutdown and five 503 ServiceUnavailable, about twenty pushes apart.",
            answering(503, "Shutdown", match: #"{"every": 20, "run": 5}"#),
            answering(503, "ServiceUnavailable", match: #"{"every": 20, "run": 5}"#)),
        FaultScenario(
            "G21", "slow-to-connect",
            "The next connection is reset, the second waits three seconds for TLS, and TLS fails for the third.",
            #"{"stage": "accept", "count": 1, "effect": {"connection": {"how": "reset"}}}"#,
            #"{"stage": "accept", "count": 1, "effect": {"delay": "3s"}}"#,
            #"{"stage": "accept", "count": 1, "effect": {"failsTLS": true}}"#),
        FaultScenario(
            "G22", "too-many-bad-tokens", "The fifth BadDeviceToken closes a connection.",
            """
            {"match": {"verdict": "BadDeviceToken", "nth": 5, "per": "connection"},
            "effect": {"connection": {"how": "close", "when": "after"}}}
            """),
        FaultScenario(
            "G23", "too-many-requests",
            "More than three pushes for a device token in ten seconds get 429 TooManyRequests.",
            answering(
                429, "TooManyRequests", match: #"{"above": {"count": 3, "within": "10s"}, "per": "token"}"#)),
        // Networks and servers at their limits.
        FaultScenario(
            "G24", "long-tail", "Half of the answers take 40 milliseconds or more, one in a hundred 900 or more.",
            #"{"effect": {"latency": {"median": "40ms", "p99": "900ms"}}}"#),
        FaultScenario(
            "G25", "starved-window",
            "A connection's flow-control window is never replenished: after 65535 bytes of payloads it stalls.",
            #"{"stage": "open", "effect": {"starves": "connection"}}"#),
        FaultScenario(
            "G26", "settings-churn",
            "The limits of streams and windows of a connection change every 20 milliseconds for ten seconds.",
            """
            {"stage": "open", "effect": {"churn": {"every": "20ms", "times": 500, "streamLimits": [1, 100, 2],
            "windows": [100, 65535, 1]}}}
            """),
        // Without a number.
        FaultScenario(
            nil, "outage", "For thirty seconds every push gets 503 ServiceUnavailable.",
            #"{"for": "30s", "effect": {"answer": {"status": 503, "reason": "ServiceUnavailable"}}}"#),
        FaultScenario(
            nil, "slow-answers", "Every answer takes 200 to 500 milliseconds; PING is answered at once.",
            #"{"effect": {"delay": "200ms", "jitter": "300ms"}}"#),
        FaultScenario(
            nil, "flaky", "One push in ten, chosen with the gateway's seed, gets 500 InternalServerError.",
            answering(500, "InternalServerError", match: #"{"probability": 0.1}"#)),
        FaultScenario(
            nil, "graceful-shutdown",
            "After its third push a connection ends gracefully: GOAWAY 2147483647, then GOAWAY with its last stream.",
            """
            {"match": {"nth": 3, "per": "connection"},
            "effect": {"goAway": {"reason": "Shutdown", "graceful": true}}}
            """),
        FaultScenario(
            nil, "stream-closed-after-refusal",
            "Every third push gets REFUSED_STREAM, and then STREAM_CLOSED for the same stream.",
            #"{"match": {"every": 3}, "effect": {"resets": "REFUSED_STREAM", "thenResets": "STREAM_CLOSED"}}"#),
        FaultScenario(
            nil, "idle-timeout", "A connection that is idle for two seconds ends with GOAWAY IdleTimeout.",
            #"{"stage": "open", "effect": {"goAway": {"reason": "IdleTimeout", "idle": "2s"}}}"#),
        FaultScenario(
            nil, "closed-window", "A new connection's windows are closed: headers get through, payloads do not.",
            #"{"stage": "open", "effect": {"window": 0}}"#),
        FaultScenario(
            nil, "goaway-unprocessed-several",
            "The third and fourth push of a connection wait; the fifth is answered with a GOAWAY that excludes "
                + "all three.",
            #"{"match": {"nth": 3, "run": 2, "per": "connection"}, "effect": {"loses": "request"}}"#,
            """
            {"match": {"nth": 3, "per": "connection"},
            "effect": {"goAway": {"reason": "Shutdown", "unprocessed": 3}}}
            """),
        FaultScenario(
            nil, "key-revoked", "From the third push on, every provider token gets 403 InvalidProviderToken.",
            answering(403, "InvalidProviderToken", match: #"{"nth": 3, "run": 1000000000}"#)),
    ]
}
