internal import APNs
internal import DeviceModel
internal import Queries
internal import Synchronization
package import Time

/// The active rules, checked in order; the first that fires wins.
package final class FaultPlan: Sendable {
    /// A rule and its counters.
    package struct Status: Sendable, Hashable {
        package var rule: FaultRule
        package var setAt: Instant
        /// Includes matches at which it did not fire.
        package var matched = 0
        package var fired = 0

        /// Whether it has fired its `count`.
        var isSpent: Bool { rule.count.map { fired >= $0 } ?? false }
    }

    /// A rule as it is persisted: of its counts, only whether there is more to fire.
    struct Stored {
        var rule: FaultRule
        var setAt: Instant
        var isSpent: Bool
        /// Whether the API removed or replaced it; of a file's rule only.
        var isRemoved = false
    }

    /// Why no rule was added.
    package enum Refusal: Error, Sendable, Hashable {
        case nameIsTaken(String)
        case tooMany
        /// Regular expressions that take too long together.
        case tooManySteps(Int)
    }

    /// Each push checks every rule; a hundred of them take a few microseconds.
    package static let maximumRuleCount = 100
    /// Steps of all rules' regular expressions, because every push may be matched with each of them, on the event loop:
    /// as many as one pattern may have.
    package static let maximumPatternStepCount = TextPattern.maximumStepCount

    fileprivate struct Entry {
        var status: Status
        var generator: SplitMix64
        var connections = SubjectCounts<UInt32>()
        /// Device tokens, or topics.
        var subjects = SubjectCounts<String>()
        var rates = RateIntervals()
        /// How many of `effect.answers` each token has used.
        var positions = SubjectCounts<String>()
        var expired = ExpiredTokens()
    }

    private let seed: UInt64
    private let entries = Mutex<[Entry]>([])
    /// The rules of the files as last applied, also those that the API removed since; changed behind the lock of `entries`.
    private let ofFiles = Mutex<[FaultRule]>([])
    /// One bit for each stage with rules, so that a request without rules reads only this.
    private let stages = Atomic<UInt8>(0)
    private let anyExpired = Atomic<Bool>(false)
    /// How many rules the plan has named; changed behind the lock of `entries`.
    private let unnamedCount = Atomic<Int>(0)

    init(seed: UInt64) { self.seed = seed }

    @inline(__always)
    func has(_ stage: FaultRule.Stage) -> Bool { stages.load(ordering: .relaxed) & stage.bit != 0 }

    package var statuses: [Status] { entries.withLock { $0.map(\.status) } }

    /// Adds elements, with names for those that have none; a scenario set again starts again.
    ///
    /// - Parameter isReplaced: Whether to remove a rule first; its replacement starts with new counts.
    /// - Returns: The new rules.
    @discardableResult
    package func add(
        _ elements: [FaultElement], replacing isReplaced: (FaultRule) -> Bool = { _ in false }, at now: Instant
    ) throws(Refusal) -> [FaultRule] {
        try entries.withLock { entries throws(Refusal) in
            var others = entries.filter { !isReplaced($0.status.rule) }
            var number = unnamedCount.load(ordering: .relaxed)
            var new: [FaultRule] = []
            for element in elements {
                let taken = others.map(\.status.rule) + new
                let named = element.named(besides: taken) {
                    repeat { number += 1 } while taken.contains { $0.name == "fault-\(number)" }
                    return "fault-\(number)"
                }
                if element.isScenario {
                    let names = named.map(\.name)
                    others.removeAll { names.contains($0.status.rule.name) }
                }
                new += named
            }
            let rules = try Self.checked(new, besides: others.map(\.status.rule))
            entries = others + rules.map { entry($0, now) }
            unnamedCount.store(number, ordering: .relaxed)
            announce(entries)
            return rules
        }
    }

    package func add(
        _ rules: [FaultRule], replacing isReplaced: (FaultRule) -> Bool = { _ in false }, at now: Instant
    ) throws(Refusal) {
        try add(rules.map { FaultElement($0) }, replacing: isReplaced, at: now)
    }

    /// Replaces the rules set by files. Unchanged rules retain their counts; rules set through the API stay.
    /// - Returns: The names of new rules skipped because a rule set through the API has the name.
    func update(_ new: [FaultRule], at now: Instant) throws(Refusal) -> [String] {
        try entries.withLock { entries throws(Refusal) in
            let old = ofFiles.withLock { $0 }
            let own = entries.filter { old.contains($0.status.rule) }
            let others = entries.filter { !old.contains($0.status.rule) }
            let taken = Set(others.map(\.status.rule.name))
            let wanted = try Self.checked(new.filter { !taken.contains($0.name) }, besides: others.map(\.status.rule))
            // A rule removed through the API stays removed until its file changes.
            let removed = Set(old).subtracting(own.map(\.status.rule))
            entries =
                wanted.compactMap { rule in
                    own.first { $0.status.rule == rule } ?? (removed.contains(rule) ? nil : entry(rule, now))
                } + others
            // A reload retries the others.
            ofFiles.withLock { $0 = wanted }
            announce(entries)
            return new.map(\.name).filter(taken.contains)
        }
    }

    /// The rules of the files as last applied.
    var storedOfFiles: [Stored] {
        entries.withLock { entries in
            ofFiles.withLock { $0 }.map { rule in
                let entry = entries.first { $0.status.rule == rule }
                return entry.map { Stored($0.status) }
                    ?? Stored(rule: rule, setAt: Instant(milliseconds: 0), isSpent: false, isRemoved: true)
            }
        }
    }

    /// Continues with the files' rules of the last start; call `restore` next.
    func resume(ofFiles rules: [FaultRule]) { ofFiles.withLock { $0 = rules } }

    /// Restores persisted rules in their order. Those that are there keep their counts; a name of a file's rule is taken.
    ///
    /// - Parameters:
    ///   - filed: Of the files; those that the files no longer have are not restored.
    ///   - saved: Names of rules that are removed unless they are persisted.
    func restore(_ stored: [Stored], ofFiles filed: [Stored], removing saved: Set<String>) {
        entries.withLock { entries in
            let former = entries
            func found(_ stored: Stored) -> Entry {
                former.first { $0.status.rule == stored.rule } ?? entry(stored)
            }
            let rules = stored.map(\.rule)
            var others = former.filter { entry in
                !saved.contains(entry.status.rule.name) && !rules.contains(entry.status.rule)
            }
            let present = Set(others.map(\.status.rule.name))
            let known = ofFiles.withLock { $0 }
            others =
                filed.filter { !$0.isRemoved && known.contains($0.rule) && !present.contains($0.rule.name) }.map(found)
                + others
            let taken = Set(others.map(\.status.rule.name))
            let restored = stored.filter { !taken.contains($0.rule.name) }.map(found)
            entries = others + restored.prefix(max(0, Self.maximumRuleCount - others.count))
            announce(entries)
        }
    }

    @discardableResult
    package func remove(where matches: (FaultRule) -> Bool) -> Int {
        entries.withLock { entries in
            let count = entries.count
            entries.removeAll { matches($0.status.rule) }
            announce(entries)
            return count - entries.count
        }
    }

    /// Removes all rules; those of the files return when the files are applied again.
    func reset() {
        entries.withLock { entries in
            entries = []
            ofFiles.withLock { $0 = [] }
            announce(entries)
        }
    }

    /// After the clock went back: the time that a rule has left stays.
    func setBack(_ clock: ClockReturn) {
        entries.withLock { entries in
            for index in entries.indices {
                guard let lasting = entries[index].status.rule.lasting else { continue }
                let end = entries[index].status.setAt.advanced(by: lasting)
                entries[index].status.setAt = clock.moved(end).advanced(by: .zero - lasting)
            }
        }
    }

    func fire(_ stage: FaultRule.Stage, _ facts: FaultFacts, at now: Instant) -> FaultFiring? {
        // Conditions are judged outside the lock: a pattern may take milliseconds.
        let open = entries.withLock { entries in
            var open: [FaultRule] = []
            for index in entries.indices where entries[index].status.rule.stage == stage {
                if entries[index].isOpen(at: now) { open.append(entries[index].status.rule) }
            }
            return open
        }
        let fitting = open.filter { $0.fits(facts) }
        guard !fitting.isEmpty else { return nil }
        return entries.withLock { entries in
            for index in entries.indices where fitting.contains(entries[index].status.rule) {
                if let firing = entries[index].fire(facts, at: now) { return firing }
            }
            return nil
        }
    }

    private static func checked(_ rules: [FaultRule], besides others: [FaultRule]) throws(Refusal) -> [FaultRule] {
        var names = Set(others.map(\.name))
        for rule in rules {
            guard names.insert(rule.name).inserted else { throw .nameIsTaken(rule.name) }
        }
        guard names.count <= maximumRuleCount else { throw .tooMany }
        let stepCount = (others + rules).reduce(0) { $0 + $1.patternStepCount }
        guard stepCount <= maximumPatternStepCount else { throw .tooManySteps(stepCount) }
        return rules
    }

    private func entry(_ rule: FaultRule, _ now: Instant) -> Entry {
        // FNV-1a over the name, so that each rule has its own random sequence.
        let hash = rule.name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Entry(status: Status(rule: rule, setAt: now), generator: SplitMix64(seed: seed ^ hash))
    }

    private func entry(_ stored: Stored) -> Entry {
        var entry = entry(stored.rule, stored.setAt)
        if stored.isSpent { entry.status.fired = stored.rule.count ?? 0 }
        return entry
    }

    private func announce(_ entries: [Entry]) {
        stages.store(entries.reduce(0) { $0 | $1.status.rule.stage.bit }, ordering: .relaxed)
        anyExpired.store(entries.contains { !$0.expired.isEmpty }, ordering: .relaxed)
    }
}

extension FaultPlan {
    /// The token stays expired for as long as its rule exists.
    func expire(_ token: VerifiedToken, by rule: String, at now: Instant) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.status.rule.name == rule }) else { return }
            entries[index].expired.insert(token, at: now)
            announce(entries)
        }
    }

    func hasExpired(_ token: VerifiedToken) -> Bool {
        anyExpired.load(ordering: .relaxed) && entries.withLock { $0.contains { $0.expired.contains(token) } }
    }

    /// When a rule expired this token's predecessor; the token's age counts from then at the earliest.
    /// - Returns: `nil` when no token of its key was expired, or this one is older.
    /// - Throws: When a rule expired this token itself.
    func renewal(of token: VerifiedToken) throws(APNsRejection) -> Instant? {
        guard anyExpired.load(ordering: .relaxed) else { return nil }
        if hasExpired(token) { throw expired }
        return entries.withLock { $0.compactMap { $0.expired.renewal(of: token) }.max() }
    }

    var expired: APNsRejection {
        APNsRejection(
            .expiredProviderToken, "token.expired-by-fault",
            "A fault rule expired the token, whatever its age; create a new one.")
    }
}

extension FaultPlan.Entry {
    fileprivate mutating func fire(_ facts: FaultFacts, at now: Instant) -> FaultFiring? {
        let rule = status.rule
        guard isOpen(at: now) else { return nil }
        if rule.expiresOncePerKey, let token = facts.verified, expired.isRenewal(token) { return nil }
        status.matched += 1
        guard let number = number(of: facts), rule.match.isTurn(number) else { return nil }
        if let rate = rule.match.above, !rates.isAbove(rate, subject(of: facts), at: now) { return nil }
        if let probability = rule.match.probability, generator.share() >= probability { return nil }
        var answer = rule.effect.answer
        if !rule.effect.answers.isEmpty {
            let position = positions.next(facts.token ?? "", upTo: rule.effect.answers.count)
            guard let position else { return nil }
            answer = rule.effect.answers[position - 1]
        }
        status.fired += 1
        return FaultFiring(
            rule: rule.name, effect: rule.effect, answer: answer, delay: drawDelay(rule.effect),
            isLast: status.isSpent)
    }

    fileprivate func isOpen(at now: Instant) -> Bool {
        let rule = status.rule
        if status.isSpent { return false }
        if let from = rule.from, now < from { return false }
        if let until = rule.until, now >= until { return false }
        // Inactive before `setAt`: during a visit to the past, or after a restart with an earlier clock.
        if let lasting = rule.lasting, now < status.setAt || now >= status.setAt.advanced(by: lasting) { return false }
        return true
    }

    /// The number of this match in its scope; `nil` when there is no room to count it.
    private mutating func number(of facts: FaultFacts) -> Int? {
        switch status.rule.match.per {
        case .rule: status.matched
        case .connection: connections.next(onConnection: facts.connection)
        case .token, .topic: subjects.next(subject(of: facts))
        }
    }

    private func subject(of facts: FaultFacts) -> String {
        switch status.rule.match.per {
        case .rule: ""
        case .connection: String(facts.connection)
        case .token: facts.token ?? ""
        case .topic: facts.topic ?? ""
        }
    }

    private mutating func drawDelay(_ effect: FaultEffect) -> Duration {
        let delay = (effect.delay ?? .zero) + (effect.latency?.draw(&generator) ?? .zero)
        guard let jitter = effect.jitter else { return delay }
        return delay + .milliseconds(Int64(generator.share() * (jitter / .milliseconds(1))))
    }
}

extension FaultRule.Stage {
    fileprivate var bit: UInt8 {
        switch self {
        case .accept: 1
        case .open: 2
        case .request: 4
        }
    }
}

/// The provider tokens that a rule expired; above the capacity, the oldest becomes valid again.
struct ExpiredTokens {
    /// Far more than a test's provider creates.
    private static let capacity = 1000

    private var tokens: [(token: VerifiedToken, expiredAt: Instant)] = []

    var isEmpty: Bool { tokens.isEmpty }

    mutating func insert(_ token: VerifiedToken, at now: Instant) {
        guard !contains(token) else { return }
        if tokens.count == Self.capacity { tokens.removeFirst() }
        tokens.append((token, now))
    }

    func contains(_ token: VerifiedToken) -> Bool {
        tokens.contains { $0.token.signature == token.signature && $0.token.keyID == token.keyID }
    }

    /// Whether the token replaces an expired one of its key.
    func isRenewal(_ token: VerifiedToken) -> Bool { renewal(of: token) != nil && !contains(token) }

    /// The latest expiry among the key's tokens that are not newer than this one.
    func renewal(of token: VerifiedToken) -> Instant? {
        tokens.filter { $0.token.keyID == token.keyID && $0.token.issuedAt <= token.issuedAt }.map(\.expiredAt).max()
    }
}

extension FaultPlan.Stored {
    init(_ status: FaultPlan.Status) { self.init(rule: status.rule, setAt: status.setAt, isSpent: status.isSpent) }
}
