internal import APNs
internal import Wire

extension FaultScenario {
    /// Ends of connections, streams and keys beside those that were reported by number.
    static let endings: [FaultScenario] = [
        FaultScenario(
            nil, "graceful-shutdown",
            "After its third push a connection ends gracefully: GOAWAY 2147483647, then GOAWAY with its last stream.",
            [
                .rule(
                    when: { ($0.nth, $0.per) = (3, .connection) },
                    then: { $0.goAway = FaultGoAway { ($0.reason, $0.graceful) = ("Shutdown", true) } })
            ]),
        FaultScenario(
            nil, "stream-closed-after-refusal",
            "Every third push gets REFUSED_STREAM, and then STREAM_CLOSED for the same stream.",
            [
                .rule(
                    when: { $0.every = 3 }, then: { ($0.resets, $0.thenResets) = (.refusedStream, .streamClosed) })
            ]),
        FaultScenario(
            nil, "idle-timeout", "A connection that is idle for two seconds ends with GOAWAY IdleTimeout.",
            [
                .rule(
                    on: .open,
                    then: { $0.goAway = FaultGoAway { ($0.reason, $0.idle) = ("IdleTimeout", .seconds(2)) } })
            ]),
        FaultScenario(
            nil, "closed-window", "A new connection's windows are closed: headers get through, payloads do not.",
            [.rule(on: .open, then: { $0.window = 0 })]),
        FaultScenario(
            nil, "goaway-unprocessed-several",
            "The third and fourth push of a connection wait; the fifth is answered with a GOAWAY that excludes all "
                + "three.",
            [
                .rule(
                    when: { ($0.nth, $0.run, $0.per) = (3, 2, .connection) }, then: { $0.loses = .request }),
                .rule(
                    when: { ($0.nth, $0.per) = (3, .connection) },
                    then: { $0.goAway = FaultGoAway { ($0.reason, $0.unprocessed) = ("Shutdown", 3) } }),
            ]),
        FaultScenario(
            nil, "key-revoked", "From the third push on, every provider token gets 403 InvalidProviderToken.",
            [
                .rule(
                    when: { ($0.nth, $0.run) = (3, 1_000_000_000) },
                    then: { $0.answer = FaultAnswer(403, "InvalidProviderToken") })
            ]),
    ]
}
