public import APNs
internal import Synchronization

/// The rules that hold, asked in their order; the first that fires wins.
public final class FaultPlan: Sendable {
    /// A rule and what it has done so far.
    public struct Status: Sendable, Hashable {
        public var rule: FaultRule
        /// When it was set.
        public var setAt: Instant
        /// What fitted, whether its turn had come or not.
        public var matched = 0
        public var fired = 0
    }

    /// Why a rule cannot be added.
    public struct NameIsTaken: Error, Sendable, Hashable {
        public var name: String
    }

    fileprivate struct Entry {
        var status: Status
        var generator: SplitMix64
        /// Matches by connection or token.
        var counts: [String: Int] = [:]
        /// How far the script has come for each token.
        var positions: [String: Int] = [:]
    }

    /// Connections or tokens that a rule counts for. Providers can send any number of them, so there is an end; then
    /// counting starts over.
    static let countedSubjects = 10_000

    private let seed: UInt64
    private let entries = Mutex<[Entry]>([])
    /// One bit for each stage that has rules: all that a request looks at while there are none.
    private let stages = Atomic<UInt8>(0)

    init(seed: UInt64) { self.seed = seed }

    /// Whether rules of a stage are there to be asked.
    @inline(__always)
    func has(_ stage: FaultRule.Stage) -> Bool { stages.load(ordering: .relaxed) & stage.bit != 0 }

    /// All rules in their order.
    public var statuses: [Status] { entries.withLock { $0.map(\.status) } }

    /// Takes these rules instead of those there are; counting starts anew.
    public func replace(_ rules: [FaultRule], at now: Instant) throws(NameIsTaken) {
        let new = try Self.checked(rules, besides: [])
        entries.withLock { entries in
            entries = new.map { entry($0, now) }
            announce(entries)
        }
    }

    /// Puts rules behind those there are.
    public func add(_ rules: [FaultRule], at now: Instant) throws(NameIsTaken) {
        try entries.withLock { entries throws(NameIsTaken) in
            entries += try Self.checked(rules, besides: entries.map(\.status.rule.name)).map { entry($0, now) }
            announce(entries)
        }
    }

    /// Takes rules away.
    /// - Parameter matches: Which ones.
    /// - Returns: How many.
    @discardableResult
    public func remove(where matches: (FaultRule) -> Bool) -> Int {
        entries.withLock { entries in
            let count = entries.count
            entries.removeAll { matches($0.status.rule) }
            announce(entries)
            return count - entries.count
        }
    }

    /// The first rule that fires.
    func fire(_ stage: FaultRule.Stage, _ facts: FaultFacts, at now: Instant) -> FaultFiring? {
        entries.withLock { entries in
            for index in entries.indices where entries[index].status.rule.stage == stage {
                if let firing = entries[index].fire(facts, at: now) { return firing }
            }
            return nil
        }
    }

    private static func checked(
        _ rules: [FaultRule], besides names: [String]
    ) throws(NameIsTaken) -> [FaultRule] {
        var names = Set(names)
        for rule in rules {
            guard names.insert(rule.name).inserted else { throw NameIsTaken(name: rule.name) }
        }
        return rules
    }

    private func entry(_ rule: FaultRule, _ now: Instant) -> Entry {
        // FNV-1a over the name, so that rules do not roll the same dice.
        let hash = rule.name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Entry(status: Status(rule: rule, setAt: now), generator: SplitMix64(seed: seed ^ hash))
    }

    private func announce(_ entries: [Entry]) {
        stages.store(entries.reduce(0) { $0 | $1.status.rule.stage.bit }, ordering: .relaxed)
    }
}

extension FaultPlan.Entry {
    /// Counts a match, and fires when it is its turn.
    fileprivate mutating func fire(_ facts: FaultFacts, at now: Instant) -> FaultFiring? {
        let rule = status.rule
        guard isOpen(at: now), rule.match.fits(facts) else { return nil }
        status.matched += 1
        guard rule.match.isTurn(number(of: facts)) else { return nil }
        if let probability = rule.match.probability, generator.share() >= probability { return nil }
        var answer = rule.effect.answer
        if !rule.effect.answers.isEmpty {
            let token = facts.token ?? ""
            let position = positions[token, default: 0]
            guard position < rule.effect.answers.count else { return nil }
            if positions.count >= FaultPlan.countedSubjects, positions[token] == nil { positions = [:] }
            positions[token] = position + 1
            answer = rule.effect.answers[position]
        }
        status.fired += 1
        return FaultFiring(rule: rule.name, effect: rule.effect, answer: answer, delay: drawDelay(rule.effect))
    }

    /// Whether its time has come and is not over, and it may fire once more.
    private func isOpen(at now: Instant) -> Bool {
        let rule = status.rule
        if let count = rule.count, status.fired >= count { return false }
        if let from = rule.from, now < from { return false }
        if let until = rule.until, now >= until { return false }
        if let lasting = rule.lasting, now >= status.setAt.advanced(by: lasting) { return false }
        return true
    }

    /// The number of this match among those that are counted together.
    private mutating func number(of facts: FaultFacts) -> Int {
        let subject: String
        switch status.rule.match.per {
        case .rule: return status.matched
        case .connection: subject = String(facts.connection)
        case .token: subject = facts.token ?? ""
        }
        if counts.count >= FaultPlan.countedSubjects, counts[subject] == nil { counts = [:] }
        counts[subject, default: 0] += 1
        return counts[subject, default: 1]
    }

    private mutating func drawDelay(_ effect: FaultEffect) -> Duration {
        let delay = effect.delay ?? .zero
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
