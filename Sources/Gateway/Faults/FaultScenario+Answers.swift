internal import APNs
internal import Wire

extension FaultScenario {
    /// Answers that clients read wrongly.
    static let answers: [FaultScenario] = [
        FaultScenario(
            "G14", "timestamp-in-milliseconds",
            "Every push gets 410 with a timestamp in milliseconds; every second answer for a token has no timestamp.",
            [
                .rule(
                    when: { ($0.every, $0.per) = (2, .token) },
                    then: { $0.answer = FaultAnswer(410, "Unregistered") { $0.omits = [.timestamp] } }),
                .rule(then: { $0.answer = FaultAnswer(410, "Unregistered") }),
            ]),
        FaultScenario(
            "G15", "fractional-expiration",
            "A push whose apns-expiration is not a whole number gets 400; the rule counts these pushes.",
            [
                .rule(
                    when: { $0.verdict = .reason(.badExpirationDate) },
                    then: { $0.answer = FaultAnswer(400, "BadExpirationDate") })
            ]),
        FaultScenario(
            "G16", "wrong-environment", "Every device token belongs to the other environment: 400 BadDeviceToken.",
            [.rule(then: { $0.answer = FaultAnswer(400, "BadDeviceToken") })]),
        FaultScenario(
            "G16", "single-environment-key",
            "The provider's key is limited to the other environment: 403 BadEnvironmentKeyInToken.",
            [.rule(then: { $0.answer = FaultAnswer(403, "BadEnvironmentKeyInToken") })]),
        FaultScenario(
            "G17", "unknown-reason", "Every second push gets 400 with an undocumented reason.",
            [.rule(when: { $0.every = 2 }, then: { $0.answer = FaultAnswer(400, "ReasonOfTomorrow") })]),
        FaultScenario(
            "G18", "odd-error-bodies",
            "Every push gets 400, alternately with a body in two DATA frames and without a body.",
            [
                .rule(
                    when: { $0.every = 2 },
                    then: { $0.answer = FaultAnswer(400, "BadDeviceToken") { $0.omits = [.body] } }),
                .rule(then: { $0.answer = FaultAnswer(400, "BadDeviceToken") { $0.bodyFrames = 2 } }),
            ]),
        FaultScenario(
            "G19", "lost-answer",
            "The first push for each token is accepted, but the connection is reset instead of an answer.",
            [
                .rule(
                    when: { ($0.verdict, $0.nth, $0.per) = (.accepted, 1, .token) },
                    then: {
                        $0.loses = .answer
                        $0.connection = FaultConnectionEnd(.reset, .after)
                    })
            ]),
        FaultScenario(
            "G20", "unavailable-bursts",
            "Bursts of five 503 Shutdown and five 503 ServiceUnavailable, about twenty pushes apart.",
            [
                .rule(
                    when: { ($0.every, $0.run) = (20, 5) }, then: { $0.answer = FaultAnswer(503, "Shutdown") }),
                .rule(
                    when: { ($0.every, $0.run) = (20, 5) },
                    then: { $0.answer = FaultAnswer(503, "ServiceUnavailable") }),
            ]),
    ]

    /// What networks and bad days do.
    static let weather: [FaultScenario] = [
        FaultScenario(
            "G21", "slow-to-connect",
            "The next connection is reset, the second waits three seconds for TLS, and TLS fails for the third.",
            [
                .rule(on: .accept, count: 1, then: { $0.connection = FaultConnectionEnd(.reset) }),
                .rule(on: .accept, count: 1, then: { $0.delay = .seconds(3) }),
                .rule(on: .accept, count: 1, then: { $0.failsTLS = true }),
            ]),
        FaultScenario(
            nil, "outage", "For thirty seconds every push gets 503 ServiceUnavailable.",
            [.rule(lasting: .seconds(30), then: { $0.answer = FaultAnswer(503, "ServiceUnavailable") })]),
        FaultScenario(
            nil, "slow-answers", "Every answer takes 200 to 500 milliseconds; PING is answered at once.",
            [.rule(then: { ($0.delay, $0.jitter) = (.milliseconds(200), .milliseconds(300)) })]),
        FaultScenario(
            nil, "flaky", "One push in ten, chosen with the gateway's seed, gets 500 InternalServerError.",
            [
                .rule(
                    when: { $0.probability = 0.1 }, then: { $0.answer = FaultAnswer(500, "InternalServerError") })
            ]),
    ]
}
