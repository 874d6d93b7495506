import APNs
import Fields
import JSON
import RequestWire
import Testing
import Time

@testable import Gateway

/// Rules as JSON, and scenarios.
@Suite struct FaultReadingTests {
    static func read(_ text: String) throws -> [FaultRule] {
        let json = JSONValue(text.bytes.span.bytes)
        return try FaultRule.rules(from: try #require(json))
    }

    @Test func everyMemberReadsBack() throws {
        let rules = try Self.read(
            """
            {"name":"all","stage":"request","match":{"token":"00FF","device":"d","topic":"t","pushType":"alert",
            "headers":{"x-a":"1"},"connection":1,"keyId":"k","verdict":"BadTopic","after":"BadPath","idle":"1h","every":4,
            "run":2,"above":{"count":2,"within":"1m"},"per":"topic","probability":0.5},"effect":{"delay":"2s","jitter":"250ms",
            "latency":{"median":"40ms","p99":"900ms"},"starves":"streams","churn":{"every":"1s","times":3,"streamLimits":[1,2],
            "windows":[0]},"trickle":"PT0.01S",
            "answer":{"status":429,"reason":"r","timestamp":1,"body":"b","omits":["apnsId","timestamp","body"],
            "bodyFrames":2},"loses":"request","resets":"CANCEL","thenResets":"STREAM_CLOSED","window":0,"expiresToken":true,"goAway":{"debugData":"d",
            "code":"HTTP_1_1_REQUIRED","lastStream":7,"times":2,"closes":false},"connection":{"how":"silence",
            "when":"after"},"streamLimit":0},"count":3,"from":"2026-11-21T16:00:00+09:00",
            "until":"2026-11-21T07:00:01Z","for":"90s","matched":1,"fired":1,"setAt":"2026-11-21T07:00:00Z"}
            """)
        let rule = try #require(rules.first)
        #expect(rule.match.token == "00ff")
        #expect(rule.match.verdict == .reason(.badTopic))
        #expect(rule.effect.goAway?.code.number == 13)
        #expect(rule.from == Instant(milliseconds: 1_795_244_400_000))
        #expect(rule.lasting == .seconds(90))
        var again = FaultRule()
        try again.apply(rule.json)
        #expect(again == rule)
    }

    static let wrong: [(json: String, problem: String)] = [
        (
            #"{"name":"a"}"#,
            "effect is empty; accepted: at least one of delay, jitter, latency, answer, answers, trickle, loses, resets, "
                + "thenResets, goAway, connection, streamLimit, window, starves, churn, device, expiresToken, failsTLS"
        ),
        (#"{"name":"a","efect":{}}"#, "efect is unknown; did you mean effect?"),
        (
            #"{"name":"a","effect":{"resets":"CANCELLED"}}"#,
            "effect.resets is \"CANCELLED\"; accepted: NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, "
                + "SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR, REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, "
                + "CONNECT_ERROR, ENHANCE_YOUR_CALM, INADEQUATE_SECURITY or HTTP_1_1_REQUIRED; did you mean CANCEL?"
        ),
        (
            #"{"name":"a","effect":{"answer":{"status":199}}}"#,
            "effect.answer.status is 199; accepted: a whole number from 200 to 599"
        ),
        (
            #"{"name":"a","effect":{"delay":"soon"}}"#,
            "effect.delay is \"soon\"; accepted: a duration such as 5s, 250ms, 2m or PT1H"
        ),
        (
            #"{"name":"a","match":{"probability":1.1},"effect":{"loses":"answer"}}"#,
            "match.probability is 1.1; accepted: a number from 0 to 1"
        ),
        (
            #"{"name":"a","match":{"verdict":"BadTopics"},"effect":{"loses":"answer"}}"#,
            "match.verdict is \"BadTopics\"; accepted: accepted, refused, or a reason such as BadDeviceToken"
        ),
        (
            #"{"name":"a","match":{"nth":1,"every":2},"effect":{"loses":"answer"}}"#,
            "match has nth and every; accepted: one of the two"
        ),
        (
            #"{"name":"a","match":{"headers":{"X-A":"1"}},"effect":{"loses":"answer"}}"#,
            "match.headers.X-A is in upper case; accepted: names in lower case, as HTTP/2 has them"
        ),
        (
            #"{"name":"a","stage":"accept","effect":{"loses":"answer"}}"#,
            "effect.loses has no meaning on accept; accepted there: delay, jitter, latency, connection, failsTLS"
        ),
        (
            #"{"name":"a","effect":{"latency":{"median":"2s","p99":"1s"}}}"#,
            "effect.latency.p99 is shorter than median; accepted: a duration from median up"
        ),
        (
            #"{"name":"a","effect":{"latency":{"p99":"1s"}}}"#,
            "effect.latency.median is missing; accepted: a duration above 0"
        ),
        (
            #"{"name":"a","effect":{"device":{}}}"#,
            "effect.device is empty; accepted: at least one of extension, offlineFor, permission"
        ),
        (
            #"{"name":"a","effect":{"device":{"extension":"crash"}}}"#,
            "effect.device.extension is \"crash\"; accepted: slow or crashes; did you mean crashes?"
        ),
        (
            #"{"name":"a","effect":{"device":{"offlineFor":"0s"}}}"#,
            "effect.device.offlineFor is \"0s\"; accepted: a duration above 0 such as 5s, 250ms, 2m or PT1H"
        ),
        (
            #"{"name":"a","effect":{"device":{"permission":"denied"},"answer":{"status":410}}}"#,
            "effect.device has no push to precede; accepted: without parts that refuse, lose or reset the push"
        ),
        (
            #"{"name":"a","effect":{"device":{"permission":"denied"},"answers":[{"status":200},{"status":503}]}}"#,
            "effect.device has no push to precede; accepted: without parts that refuse, lose or reset the push"
        ),
        (
            #"{"name":"a","stage":"open","effect":{"device":{"offlineFor":"1m"}}}"#,
            "effect.device has no meaning on open; accepted there: goAway, connection, streamLimit, window, starves, churn"
        ),
        (
            #"{"name":"a","effect":{"churn":{"every":"1s"}}}"#,
            "effect.churn changes nothing; accepted: streamLimits, windows or both"
        ),
        (
            #"{"name":"a","stage":"open","match":{"token":"00"},"effect":{"streamLimit":1}}"#,
            "match.token cannot be known on open; accepted there: nth, every, run, above, probability, connection"
        ),
        (
            #"{"name":"a","effect":{"failsTLS":true}}"#,
            "effect.failsTLS has no meaning on request; accepted: on accept only"
        ),
        (
            #"{"name":"a","effect":{"answer":{"status":200},"answers":[{"status":200}]}}"#,
            "effect has answer and answers; accepted: one of the two"
        ),
        (
            #"{"name":"a","effect":{"goAway":{"lastStream":1,"unprocessed":1}}}"#,
            "effect.goAway has lastStream and unprocessed; accepted: one of the two"
        ),
        (
            #"{"name":"a","effect":{"loses":"answer"},"from":"2026-11-21T07:00:00Z","until":"2026-11-21T07:00:00Z"}"#,
            "until is 2026-11-21T07:00:00.000Z; accepted: a time after from"
        ),
        (
            #"{"scenario":"G1","name":"a"}"#,
            "name cannot be combined with scenario; accepted: scenario with match and count, or a rule"
        ),
        (#"{"scenario":"G1","match":{"every":2}}"#, "match has nth and every; accepted: one of the two"),
        (#"{"scenario":"G1","count":0}"#, "count is 0; accepted: a whole number, 1 or more"),
        (
            #"{"name":"a","effect":{"answer":{}}}"#,
            "effect.answer is empty; accepted: at least one of status, reason, timestamp, body, omits, bodyFrames"
        ),
        (
            #"{"name":"a","effect":{"loses":"answer"},"for":"0s"}"#,
            "for is \"0s\"; accepted: a duration above 0 such as 5s, 250ms, 2m or PT1H"
        ),
        (
            #"{"name":"a","effect":{"goAway":{"reason":"r","debugData":"d"}}}"#,
            "effect.goAway has reason and debugData; accepted: one of the two"
        ),
        (
            #"{"name":"a","effect":{"goAway":{"debugData":"\#(String(repeating: "d", count: 16_377))"}}}"#,
            "effect.goAway.debugData makes 16377 bytes; accepted: at most 16376, as every client takes frames of 16384 bytes"
        ),
        (
            #"{"name":"a","effect":{"goAway":{"graceful":true,"unprocessed":1}}}"#,
            "effect.goAway.unprocessed cannot be combined with graceful; accepted beside it: reason, debugData and idle"
        ),
        (
            #"{"name":"a","effect":{"thenResets":"STREAM_CLOSED"}}"#,
            "effect.thenResets has no first RST_STREAM; accepted: beside resets"
        ),
        (
            #"{"name":"a","effect":{"loses":"answer","goAway":{"unprocessed":1}}}"#,
            "effect delivers a push above its last-stream-id; accepted: loses answer, or goAway with lastStream or unprocessed"
        ),
    ]

    @Test(arguments: wrong.indices) func errorsNameTheFieldAndTheRemedy(_ index: Int) {
        let row = Self.wrong[index]
        #expect {
            try Self.read(row.json)
        } throws: { error in
            (error as? FieldError)?.description == row.problem
        }
    }

    @Test func aScenarioTakesMatchAndCount() throws {
        let rules = try Self.read(#"{"scenario":"G14","match":{"device":"phone"},"count":2}"#)
        #expect(rules.map(\.match.device) == ["phone", "phone"])
        #expect(rules.map(\.count) == [2, 2])
        #expect(rules.map(\.match.every) == [2, nil])
        let longest = String(repeating: "d", count: 16_376)
        _ = try Self.read(#"{"name":"a","effect":{"goAway":{"debugData":"\#(longest)"}}}"#)
    }

    @Test func anUnknownScenarioNamesTheNearestAndTheList() {
        #expect {
            try Self.read(#"{"scenario":"G99"}"#)
        } throws: { error in
            "\(error)".hasPrefix(#"scenario is "G99"; accepted: the scenarios that `pushcote fault scenarios` and"#)
                && "\(error)".hasSuffix("did you mean G9?")
        }
    }

    @Test func everyFaultOfTheListHasAScenario() throws {
        let ids = Set(FaultScenario.all.compactMap(\.id))
        #expect(ids == Set((1...26).map { "G\($0)" }))
        let names = FaultScenario.all.flatMap(\.rules).map(\.name)
        #expect(Set(names).count == names.count)
        for scenario in FaultScenario.all {
            #expect(FaultScenario.named(scenario.name) == scenario)
            for rule in scenario.rules {
                var again = FaultRule()
                try again.apply(rule.json)
                #expect(again == rule)
            }
        }
        #expect(FaultScenario.named("g16")?.name == "wrong-environment")
        #expect(try Self.read(#"{"scenario":"slow-to-connect"}"#).map(\.name).last == "slow-to-connect-3")
    }
}
