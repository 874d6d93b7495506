import APNs
import DeviceModel
import Testing
import Time

@testable import Gateway

/// Which rule fires, how often, and with which probability.
@Suite struct FaultPlanTests {
    static func rule(
        _ name: String, count: Int? = nil, match: (inout FaultMatch) -> Void = { _ in },
        effect: (inout FaultEffect) -> Void = { $0.loses = .request }
    ) -> FaultRule {
        FaultRule(name, match: FaultMatch(match), effect: FaultEffect(effect), count: count)
    }

    static func plan(_ rules: [FaultRule], seed: UInt64 = 7) throws -> FaultPlan {
        let plan = FaultPlan(seed: seed)
        try plan.add(rules, at: .start)
        return plan
    }

    private func names(_ plan: FaultPlan, _ count: Int, at now: Instant = .start, token: String? = nil) -> [String?] {
        var facts = FaultFacts()
        facts.token = token
        return (0..<count).map { _ in plan.fire(.request, facts, at: now)?.rule }
    }

    @Test func theFirstMatchingRuleWins() throws {
        let plan = try Self.plan([
            Self.rule("never") { $0.device = "nobody" }, Self.rule("twice", count: 2), Self.rule("always"),
        ])
        #expect(names(plan, 4) == ["twice", "twice", "always", "always"])
        #expect(plan.statuses.map(\.fired) == [0, 2, 2])
        #expect(plan.statuses.map(\.matched) == [0, 2, 2])
    }

    /// Such as a channel beyond the limit.
    @Test func aRequestRefusedAfterTheRulesSawItCountsOnce() throws {
        let plan = try Self.plan([
            Self.rule("second") { $0.nth = 2 }, Self.rule("accepted") { ($0.verdict, $0.nth) = (.accepted, 2) },
            Self.rule("refused") { $0.verdict = .refused },
        ])
        var facts = FaultFacts()
        #expect(plan.fire(.request, facts, at: .start) == nil)
        (facts.reason, facts.wasOffered) = (.serviceUnavailable, true)
        #expect(plan.fire(.request, facts, at: .start)?.rule == "refused")
        #expect(plan.statuses.map(\.matched) == [1, 1, 1])
    }

    @Test func rulesOfOtherStagesAreIgnored() throws {
        let plan = try Self.plan([FaultRule("accept", on: .accept, effect: FaultEffect { $0.failsTLS = true })])
        #expect(names(plan, 1) == [nil])
        #expect(FaultRule.Stage.allCases.map(plan.has) == [true, false, false])
        #expect(plan.fire(.accept, FaultFacts(), at: .start)?.rule == "accept")
        plan.remove { _ in true }
        #expect(FaultRule.Stage.allCases.map(plan.has) == [false, false, false])
    }

    @Test func aWindowIncludesItsStartAndExcludesItsEnd() throws {
        var rule = Self.rule("window")
        (rule.from, rule.until) = (.start.advanced(by: .seconds(1)), .start.advanced(by: .seconds(3)))
        let plan = try Self.plan([rule])
        let fired = [0, 999, 1000, 2999, 3000].map {
            names(plan, 1, at: .start.advanced(by: .milliseconds($0))) != [nil]
        }
        #expect(fired == [false, false, true, true, false])
    }

    @Test func aDurationCountsFromWhenTheRuleIsSet() throws {
        var rule = Self.rule("lasting")
        rule.lasting = .seconds(30)
        let plan = try Self.plan([rule])
        #expect(names(plan, 1, at: .start.advanced(by: .milliseconds(29_999))) == ["lasting"])
        #expect(names(plan, 1, at: .start.advanced(by: .seconds(30))) == [nil])
        #expect(names(plan, 1, at: .start.advanced(by: .milliseconds(-1))) == [nil], "the clock was set back")
    }

    @Test func countsForEachTokenOrConnection() throws {
        let plan = try Self.plan([Self.rule("second") { ($0.nth, $0.per) = (2, .token) }])
        #expect(names(plan, 1, token: "a") + names(plan, 1, token: "b") == [nil, nil])
        #expect(names(plan, 2, token: "a") + names(plan, 2, token: "b") == ["second", nil, "second", nil])
    }

    @Test func scriptsAdvancePerTokenAndEnd() throws {
        let plan = try Self.plan([
            Self.rule("script") { _ in
            } effect: {
                $0.answers = [FaultAnswer(500), FaultAnswer(410)]
            }
        ])
        func status(_ token: String) -> Int? {
            var facts = FaultFacts()
            facts.token = token
            return plan.fire(.request, facts, at: .start)?.answer?.status
        }
        #expect(["a", "a", "b", "a", "b"].map(status) == [500, 410, 500, nil, 410])
    }

    @Test func theNumberOfSubjectsIsBoundedAndCountsNeverRestart() {
        var counts = SubjectCounts<String>()
        for index in 0..<SubjectCounts<String>.capacity { _ = counts.next("\(index)") }
        #expect(counts.next("one more") == nil)
        #expect(["0", "1"].map { counts.next($0) } == [2, 2])
        #expect(["0", "1"].map { counts.next($0, upTo: 2) } == [nil, nil])
    }

    @Test func subjectsOfOneHashAreCountedApart() {
        struct Subject: Hashable {
            let name: String
            func hash(into hasher: inout Hasher) {}
        }
        var counts = SubjectCounts<Subject>()
        #expect(["a", "b", "a"].map { counts.next(Subject(name: $0)) } == [1, 1, 2])
    }

    @Test func oldConnectionsAreEvicted() {
        var counts = SubjectCounts<UInt32>()
        let numbers = (1...UInt32(SubjectCounts<UInt32>.capacity + 1))
        #expect(numbers.allSatisfy { counts.next(onConnection: $0) == 1 })
        #expect(counts.next(onConnection: numbers.upperBound) == 2)
    }

    @Test func aHundredRulesAreTheLimit() throws {
        let plan = try Self.plan((1...FaultPlan.maximumRuleCount).map { Self.rule("\($0)") })
        #expect(throws: FaultPlan.Refusal.tooMany) { try plan.add([Self.rule("one more")], at: .start) }
        plan.remove { $0.name == "1" }
        try plan.add([Self.rule("one more")], at: .start)
    }

    @Test func aRestoredRuleIsSpentOrBeginsAgain() throws {
        let rules = [Self.rule("spent", count: 2), Self.rule("begun", count: 2)]
        let plan = try Self.plan([])
        plan.restore(
            rules.map { FaultPlan.Stored(rule: $0, setAt: .start, isSpent: $0.name == "spent") }, ofFiles: [],
            removing: [])
        #expect(names(plan, 3) == ["begun", "begun", nil])
        #expect(plan.statuses.map(\.fired) == [2, 2])
    }

    @Test func changingTheFilesKeepsOtherRules() throws {
        let (old, changed) = (Self.rule("changed"), Self.rule("changed", count: 3))
        let plan = try Self.plan([])
        _ = try plan.update([Self.rule("kept"), old], at: .start)
        try plan.add([Self.rule("by hand"), Self.rule("taken")], at: .start)
        _ = names(plan, 2)
        let taken = try plan.update([changed, Self.rule("taken", count: 9), Self.rule("kept")], at: .start)
        #expect(taken == ["taken"])
        #expect(plan.statuses.map(\.rule.name) == ["changed", "kept", "by hand", "taken"])
        #expect(plan.statuses.map(\.fired) == [0, 2, 0, 0])
        plan.remove { $0.name == "kept" }
        let files = [changed, Self.rule("kept")]
        _ = try plan.update(files, at: .start)
        #expect(plan.statuses.map(\.rule.name) == ["changed", "by hand", "taken"])
        plan.reset()
        _ = try plan.update(files, at: .start)
        #expect(plan.statuses.map(\.rule.name) == ["changed", "kept"])
    }

    @Test func aRollbackRestoresARuleOfTheFilesThatTheyStillHave() throws {
        let plan = try Self.plan([])
        _ = try plan.update([Self.rule("removed"), Self.rule("gone")], at: .start)
        let filed = plan.storedOfFiles
        _ = try plan.update([Self.rule("removed")], at: .start)
        plan.remove { $0.name == "removed" }
        #expect(plan.storedOfFiles.map(\.isRemoved) == [true])
        plan.restore([], ofFiles: filed, removing: [])
        #expect(plan.statuses.map(\.rule.name) == ["removed"])
    }

    @Test func twoScenariosOfOneIdentifierTakeTurns() throws {
        let plan = try Self.plan(try #require(FaultScenario.named("G16")).rules)
        #expect(
            names(plan, 4) == [
                "wrong-environment", "single-environment-key", "wrong-environment", "single-environment-key",
            ])
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        let rules = [
            Self.rule("dice") {
                $0.probability = 0.3
            } effect: {
                ($0.delay, $0.jitter) = (.seconds(1), .seconds(1))
            }
        ]
        func run(_ seed: UInt64) throws -> [Duration?] {
            let plan = try Self.plan(rules, seed: seed)
            return (0..<200).map { _ in plan.fire(.request, FaultFacts(), at: .start)?.delay }
        }
        let first = try run(7)
        #expect(try run(7) == first)
        #expect(try run(8) != first)
        let delays = first.compactMap(\.self)
        #expect(40..<80 ~= delays.count)
        #expect(delays.allSatisfy { .seconds(1)..<(.seconds(2)) ~= $0 })
        #expect(Set(delays).count > 30)
    }

    @Test func latencyIsLogNormal() throws {
        var latency = FaultLatency()
        (latency.median, latency.p99) = (.milliseconds(40), .milliseconds(900))
        let rule = FaultRule("slow", effect: FaultEffect { [latency] in $0.latency = latency })
        func run(_ seed: UInt64) throws -> [Duration] {
            let plan = try Self.plan([rule], seed: seed)
            return (0..<10_000).compactMap { _ in plan.fire(.request, FaultFacts(), at: .start)?.delay }.sorted()
        }
        let delays = try run(7)
        #expect(try run(7) == delays)
        #expect(.milliseconds(37)...(.milliseconds(43)) ~= delays[5000])
        #expect(.milliseconds(700)...(.milliseconds(1150)) ~= delays[9900])
        #expect(delays.last.map { $0 <= .seconds(9) } == true)
    }

    static let scopes: [(per: FaultMatch.Scope, other: FaultFacts)] = {
        var (connection, token, topic) = (FaultFacts(), FaultFacts(), FaultFacts())
        (connection.connection, token.token, topic.topic) = (9, "ff", "com.example.other")
        return [(.connection, connection), (.token, token), (.topic, topic)]
    }()

    @Test(arguments: scopes.indices) func aRateIsCountedByItsSubjectAndInterval(_ index: Int) throws {
        let (per, other) = Self.scopes[index]
        var rate = FaultRate()
        (rate.count, rate.within) = (2, .seconds(10))
        let plan = try Self.plan([Self.rule("limit") { ($0.above, $0.per) = (rate, per) }])
        func fires(_ facts: FaultFacts, _ milliseconds: Int64) -> Bool {
            plan.fire(.request, facts, at: .start.advanced(by: .milliseconds(milliseconds))) != nil
        }
        #expect([0, 9000, 9999, 9999].map { fires(FaultFacts(), $0) } == [false, false, true, true])
        #expect(!fires(other, 9999))
        #expect([10_000, 10_001, 10_002].map { fires(FaultFacts(), $0) } == [false, false, true])
    }

    @Test func aRateOf0LetsNothingPass() {
        var intervals = RateIntervals()
        var rate = FaultRate()
        (rate.count, rate.within) = (0, .seconds(1))
        let later = Instant.start.advanced(by: .seconds(1))
        #expect([Instant.start, .start, later].allSatisfy { intervals.isAbove(rate, "one", at: $0) })
    }

    @Test func subjectsBeyondTheCapacityAreNotLimited() {
        var intervals = RateIntervals()
        var rate = FaultRate()
        (rate.count, rate.within) = (1, .seconds(1))
        for index in 0..<SubjectCounts<String>.capacity { _ = intervals.isAbove(rate, "\(index)", at: .start) }
        let isAbove = { intervals.isAbove(rate, $0, at: $1) }
        #expect([isAbove("new", .start), isAbove("new", .start), isAbove("0", .start)] == [false, false, true])
        let later = Instant.start.advanced(by: .seconds(1))
        #expect([isAbove("new", later), isAbove("new", later)] == [false, true])
    }

    @Test func probabilities0And1AreExact() throws {
        let plan = try Self.plan([Self.rule("never") { $0.probability = 0 }, Self.rule("ever") { $0.probability = 1 }])
        #expect(Set(names(plan, 100)) == ["ever"])
    }

    @Test func namesAreUnique() throws {
        let plan = try Self.plan([Self.rule("a")])
        #expect(throws: FaultPlan.Refusal.nameIsTaken("a")) {
            try plan.add([Self.rule("b"), Self.rule("a")], at: .start)
        }
        #expect(throws: FaultPlan.Refusal.nameIsTaken("b")) {
            try plan.add([Self.rule("b"), Self.rule("b")], replacing: { _ in true }, at: .start)
        }
        #expect(plan.statuses.map(\.rule.name) == ["a"])
        try plan.add([Self.rule("b")], at: .start)
        #expect(plan.remove { $0.name == "a" } == 1)
        #expect(plan.statuses.map(\.rule.name) == ["b"])
    }
}
