internal import APNs
internal import Wire

extension FaultScenario {
    static let connections: [FaultScenario] = [
        FaultScenario(
            "G1", "goaway-and-linger",
            "After its third push a connection gets GOAWAY, stays open, and accepts no new streams.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (3, .connection) },
                    then: { $0.goAway = FaultGoAway { $0.closes = false } })
            ]),
        FaultScenario(
            "G2", "goaway-unprocessed",
            "The third push of a connection is answered with a GOAWAY whose last-stream-id is below it.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (3, .connection) },
                    then: { $0.goAway = FaultGoAway { ($0.reason, $0.unprocessed) = ("Shutdown", 1) } })
            ]),
        FaultScenario(
            "G3", "broken-certificate-environment",
            "Every connection ends before its first request: GOAWAY BadCertificateEnvironment, and one without a "
                + "reason.",
            [
                .rule(
                    on: .open,
                    then: { $0.goAway = FaultGoAway { ($0.reason, $0.times) = ("BadCertificateEnvironment", 2) } })
            ]),
        FaultScenario(
            "G4", "connection-reset", "The second push of a connection causes a TCP reset, without GOAWAY.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (2, .connection) },
                    then: { $0.connection = FaultConnectionEnd(.reset) })
            ]),
        FaultScenario(
            "G5", "never-answered", "Every third push is never answered; its stream stays open.",
            [.rule(when: { $0.every = 3 }, then: { $0.loses = .request })]),
        FaultScenario(
            "G6", "half-dead-connection", "From its second push on, a connection stays open and silent.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (2, .connection) },
                    then: { $0.connection = FaultConnectionEnd(.silence) })
            ]),
        FaultScenario(
            "G7", "stale-after-idle",
            "A connection that was once idle for an hour answers its expired provider token with 500; a newer token "
                + "is valid.",
            [
                .rule(
                    when: { ($0.verdict, $0.idle) = (.reason(.expiredProviderToken), .seconds(3600)) },
                    then: {
                        $0.expiresToken = true
                        $0.answer = FaultAnswer(500, "InternalServerError")
                    })
            ]),
    ]

    /// Limits, and what comes of overstepping them.
    static let limits: [FaultScenario] = [
        FaultScenario(
            "G8", "stream-limit-one", "A new connection may have one stream until its first accepted push.",
            [.rule(on: .open, then: { $0.streamLimit = 1 })]),
        FaultScenario(
            "G9", "stream-limit-after-rejection",
            "After a rejected push a connection may have one stream until its next accepted push.",
            [.rule(when: { $0.verdict = .refused }, then: { $0.streamLimit = 1 })]),
        FaultScenario(
            "G10", "streams-violated",
            "The second push of a connection is answered with a GOAWAY about too many streams.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (2, .connection) },
                    then: {
                        $0.goAway = FaultGoAway {
                            $0.debugData = "Maximum active streams violated for this endpoint."
                            ($0.code, $0.unprocessed) = (.refusedStream, 1)
                        }
                    })
            ]),
        FaultScenario(
            "G11", "token-storm", "Of every ten pushes, five in a row get 429 TooManyProviderTokenUpdates.",
            [
                .rule(
                    when: { ($0.every, $0.run) = (10, 5) },
                    then: { $0.answer = FaultAnswer(429, "TooManyProviderTokenUpdates") })
            ]),
        FaultScenario(
            "G12", "wedged-after-expiry",
            "Once a provider token has expired, its connection also rejects every later one; another connection "
                + "accepts it.",
            [
                .rule(
                    when: { $0.after = .expiredProviderToken },
                    then: { $0.answer = FaultAnswer(403, "ExpiredProviderToken") }),
                .rule(
                    when: { $0.verdict = .reason(.expiredProviderToken) }, then: { $0.expiresToken = true }),
            ]),
        FaultScenario(
            "G13", "clock-skew",
            "Every push gets 403 for an expired token; every third one of a connection gets 429.",
            [
                .rule(
                    when: { ($0.every, $0.per) = (3, .connection) },
                    then: { $0.answer = FaultAnswer(429, "TooManyProviderTokenUpdates") }),
                .rule(then: { $0.answer = FaultAnswer(403, "ExpiredProviderToken") }),
            ]),
        FaultScenario(
            "G22", "too-many-bad-tokens", "The fifth BadDeviceToken closes a connection.",
            [
                .rule(
                    when: { ($0.verdict, $0.nth, $0.per) = (.reason(.badDeviceToken), 5, .connection) },
                    then: { $0.connection = FaultConnectionEnd(.close, .after) })
            ]),
    ]
}
