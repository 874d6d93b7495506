import Gateway
import Testing

/// Setting fault rules and reading their counts.
@Suite(.admin, .timeLimit(.minutes(5))) struct FaultTests {
    private static let rule = #"{"name":"tea","match":{"device":"phone"},"effect":{"answer":{"status":418}},"count":1}"#

    @Test func aRuleIsAddedFiresAndIsCounted() async throws {
        let token = try admin.register()
        let added = try await admin.send("POST", "/api/v1/faults", Self.rule)
        #expect(added.status == 201)
        #expect(added.text.contains(#""matched":0,"fired":0,"setAt":"2026-11-21T07:00:00.000Z""#))
        #expect(admin.push(token) == 418)
        #expect(admin.push(token) == 200)
        let one = try await admin.get("/api/v1/faults/tea")
        #expect(one.text.contains(#""matched":1,"fired":1"#))
        let requests = try await admin.get("/api/v1/requests?status=418")
        #expect(requests.text.contains(#""status":418,"fault":"tea""#))
        let metrics = try await admin.get("/metrics")
        #expect(metrics.text.contains(#"pushcote_faults_fired_total{fault="tea"} 1"#))
        #expect(metrics.text.contains("pushcote_requests_taken_total 1"))
        #expect(metrics.text.contains(#"pushcote_requests_total{status="200",reason=""} 1"#))
    }

    @Test func aRequestWithoutAnAnswerHasNoStatus() async throws {
        let token = try admin.register()
        _ = try await admin.send("POST", "/api/v1/faults", #"{"name":"lost","effect":{"loses":"request"}}"#)
        _ = admin.push(token)
        let text = try await admin.get("/api/v1/requests").text
        #expect(text.contains(#""fault":"lost""#))
        #expect(!text.contains(#""status""#))
    }

    @Test func puttingTheListReplacesAllRules() async throws {
        _ = try await admin.send("POST", "/api/v1/faults", Self.rule)
        _ = try await admin.send("POST", "/api/v1/faults", #"{"scenario":"G1"}"#)
        let read = try await admin.get("/api/v1/faults").text
        let written = try await admin.send("PUT", "/api/v1/faults", read)
        #expect(written.status == 200 && read.contains(#","seed":"#))
        #expect(written.text == read)
    }

    @Test func aScenarioRestartsButARuleDoesNot() async throws {
        var statuses: [Int] = []
        for body in [#"{"scenario":"outage"}"#, #"{"scenario":"outage"}"#, Self.rule, Self.rule] {
            statuses.append(try await admin.send("POST", "/api/v1/faults", body).status)
        }
        #expect(statuses == [201, 201, 201, 409])
        #expect(admin.gateway.faults.statuses.map(\.rule.name) == ["outage", "tea"])
        for path in ["/api/v1/faults/outage", "/api/v1/faults"] {
            let answer = try await admin.send("DELETE", path)
            #expect(answer.text == #"{"removed":1}"#)
        }
    }

    @Test func everyScenarioCanBeApplied() async throws {
        let list = try await admin.get("/api/v1/fault-scenarios").text
        for scenario in FaultScenario.all {
            #expect(list.contains(#""name":"\#(scenario.name)""#))
            let body = #"{"scenario":"\#(scenario.name)"}"#
            let answer = try await admin.send("POST", "/api/v1/faults", body)
            #expect(answer.status == 201)
        }
        #expect(admin.gateway.faults.statuses.count == FaultScenario.all.flatMap(\.rules).count)
    }

    static let refusals: [(method: String, path: String, body: String, says: String)] = [
        ("POST", "/faults", "", "The body is"), ("POST", "/faults", "[]", "must be"),
        ("POST", "/faults", #"{"name":"a","effect":{"resets":"CANCEL","delya":"1s"}}"#, "did you mean delay?"),
        ("POST", "/faults", #"{"scenario":"G0"}"#, "accepted: the scenarios that `pushcote fault scenarios`"),
        ("PUT", "/faults", "{}", "'faults'"),
        (
            "PUT", "/faults", #"{"faults":[{"scenario":"G1"},{"name":"a","effect":{"loses":"all"}}]}"#,
            "'faults[1].effect.loses' is 'all'; accepted: request or answer"
        ),
        ("GET", "/faults/nothing", "", "There is no fault rule 'nothing'"),
    ]

    @Test(arguments: refusals.indices) func errorsNameTheMistake(_ index: Int) async throws {
        let row = Self.refusals[index]
        let answer = try await admin.send(row.method, "/api/v1" + row.path, row.body)
        #expect([400, 404].contains(answer.status))
        #expect(answer.text.contains(row.says), "\(answer.text)")
    }

    @Test func aResetClearsFaultsUnlessKept() async throws {
        _ = try await admin.send("POST", "/api/v1/faults", Self.rule)
        _ = try await admin.send("POST", "/api/v1/reset", #"{"keep":["faults"]}"#)
        #expect(admin.gateway.faults.statuses.count == 1)
        _ = try await admin.send("POST", "/api/v1/reset")
        #expect(admin.gateway.faults.statuses.isEmpty)
    }
}
