/// One piece of advice, or one mistake, that can be found in a push or in an app's categories.
public struct LintRule: Sendable {
    /// The stable name, such as `title.generic`; findings carry it, and it silences them.
    public var id: String
    /// How much its findings matter, as a rule; a few findings of a rule matter more or less than the others.
    public var severity: Finding.Severity
    /// What is said; a finding adds what it is about.
    public var sentence: String
    /// Where the rule comes from: requirement ids (`S3-14`), or a section of the facts (`C.6`).
    public var source: String
    /// How it looks when it is right, by example.
    public var fix: String
    /// What the rule must know beside the payload; without it the rule is silent.
    public var needs: Set<Need>
    /// Finds it in a push; nil when the decoder finds it, or when it is about categories alone.
    let push: (@Sendable (LintFacts) -> [Hit])?
    /// Finds it in a category of an app.
    let category: (@Sendable (NotificationCategory, App) -> [Hit])?
    /// What the rule finds in a donation.
    let donation: (@Sendable (DonationFacts) -> [Hit])?

    /// What a rule may have to know beside the payload.
    public enum Need: String, CaseIterable, Sendable {
        /// The app as its developer described it.
        case app
        /// The pushes before this one.
        case history
        /// The device's clock.
        case clock
    }

    /// A place that a rule objects to.
    struct Hit {
        var path: String
        /// What is there; empty when the sentence says it all.
        var detail = ""
        /// nil is the rule's own.
        var severity: Finding.Severity?
    }

    init(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        needs: Set<Need> = [], push: (@Sendable (LintFacts) -> [Hit])? = nil,
        category: (@Sendable (NotificationCategory, App) -> [Hit])? = nil,
        donation: (@Sendable (DonationFacts) -> [Hit])? = nil
    ) {
        self.id = id
        self.severity = severity
        self.sentence = sentence
        self.source = source
        self.fix = fix
        self.needs = needs
        self.push = push
        self.category = category
        self.donation = donation
    }

    func finding(_ hit: Hit) -> Finding {
        let message = hit.detail.isEmpty ? sentence : "\(sentence): \(hit.detail)"
        return Finding(id, hit.severity ?? severity, at: hit.path, message, source: source, fix: fix)
    }
}
