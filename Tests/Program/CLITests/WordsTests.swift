import CLI
import Fields
import Testing

/// Durations and addresses as people write them.
@Suite struct WordsTests {
    static let durations: [(text: String, expected: Duration?)] = [
        ("30s", .seconds(30)), ("PT30S", .seconds(30)), ("500ms", .milliseconds(500)), ("1.5s", .milliseconds(1500)),
        ("20m", .seconds(1200)), ("1h", .seconds(3600)), ("2d", .seconds(172_800)), ("0s", .zero),
        ("PT1H30M", .seconds(5400)), ("P1D", .seconds(86400)), ("P1DT2H3M4.5S", .milliseconds(93_784_500)),
        ("P2W", .seconds(1_209_600)), ("PT0.001S", .milliseconds(1)), ("PT0.0005S", nil), ("", nil), ("P", nil),
        ("PT", nil), ("P1DT", nil), ("PT1S1M", nil), ("P1M", nil), ("P1Y", nil), ("PT1D", nil), ("PT1H1H", nil),
        ("30", nil), ("s", nil), ("-1s", nil), ("1 s", nil), ("1..5s", nil), (".5s", nil), ("1.s", nil), ("1S", nil),
        ("99999999999999999999s", nil), ("9223372036854775807s", nil), ("P99999999999W", nil), ("٣s", nil),
    ]

    @Test(arguments: durations) func reads(_ text: String, _ expected: Duration?) {
        #expect(DurationText.duration(text) == expected)
    }

    static let written: [(duration: Duration, text: String)] = [
        (.zero, "0s"), (.seconds(30), "30s"), (.seconds(1200), "20m"), (.seconds(3600), "1h"), (.seconds(5400), "90m"),
        (.milliseconds(1500), "1500ms"), (.seconds(86400), "24h"),
    ]

    @Test(arguments: written) func writes(_ duration: Duration, _ text: String) {
        #expect(DurationText.text(duration) == text)
        #expect(DurationText.duration(text) == duration)
    }

    static let addresses: [(text: String, expected: HostPort?)] = [
        ("127.0.0.1:2197", HostPort(host: "127.0.0.1", port: 2197)),
        ("[::1]:0", HostPort(host: "::1", port: 0)),
        ("localhost:65535", HostPort(host: "localhost", port: 65535)),
        ("localhost:65536", nil), ("localhost", nil), ("::1:2197", nil), (":2197", nil), ("[localhost]:1", nil),
        ("[]:1", nil), ("a b:1", nil), ("host:-1", nil), ("host:+1", nil), ("host:", nil), ("http://host:1", nil),
    ]

    @Test(arguments: addresses) func reads(_ text: String, _ expected: HostPort?) {
        #expect(HostPort(text) == expected)
        if let expected { #expect(expected.text == text) }
    }

    static let adminAddresses: [(text: String, expected: String?)] = [
        ("http://127.0.0.1:8197", "http://127.0.0.1:8197"), ("http://127.0.0.1:8197/", "http://127.0.0.1:8197"),
        ("http://[::1]:8197/mock/", "http://[::1]:8197/mock"),
        ("http://localhost:8197/api/v1/", "http://localhost:8197"), ("http://[::1]", "http://[::1]:80"),
        ("http://pushcote", "http://pushcote:80"), ("pushcote", "http://pushcote:8197"),
        ("localhost:9000", "http://localhost:9000"), ("https://localhost:8197", nil), ("", nil), ("http://", nil),
        ("http://a b", nil), ("http://host/?x", nil),
    ]

    @Test(arguments: adminAddresses) func readsAdmin(_ text: String, _ expected: String?) {
        #expect((try? AdminAddress(text))?.description == expected)
    }

    @Test func anAddressWithTLSNamesTheRemedy() throws {
        let problem = #expect(throws: AdminAddressProblem.self) { try AdminAddress("https://host:8197/mock") }
        #expect(problem?.description == "the admin API does not use TLS; use http://host:8197/mock")
    }
}
