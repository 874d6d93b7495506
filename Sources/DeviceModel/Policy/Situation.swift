/// What the rules decide from: facts about the push and its circumstances, and what the stages before decided.
///
/// Nothing in it is counted by reference; what a rule would have to look up among strings is looked up once, here, and
/// only if such a rule can apply. Not copyable, so that it stays where it is.
struct Situation: ~Copyable {
    let standing: StandingFacts

    // MARK: The content
    /// As the content says; active when it says nothing.
    let contentLevel: InterruptionLevel
    let hasAlert: Bool
    let contentSound: ContentTraits.SoundKind
    let hasBadge: Bool
    /// Whether the content's filter criteria are not among those that the app's Focus filter lets through.
    let isFilteredOut: Bool
    /// Whether the content's category may be shown in CarPlay.
    let isCarPlayCategory: Bool

    // MARK: The sender
    let intent: CommunicationContext.Intent?
    let isMissedCall: Bool
    let notifiesRecipientAnyway: Bool
    let sender: SenderFacts
    let isRepeatedCall: Bool

    // MARK: What was shown before
    let isTimeSensitiveIntroduced: Bool
    let isProvisionalIntroduced: Bool

    // MARK: Decided so far
    var outcome = InterruptionOutcome()
    var authorization = AuthorizationAnswer.full
    var critical = CriticalAnswer.notAsked
    var sound = SoundAnswer.notDue

    init(_ inputs: InterruptionInputs) {
        let circumstances = inputs.circumstances
        standing = circumstances.standing

        contentLevel = inputs.content.level ?? .active
        hasAlert = inputs.content.hasAlert
        contentSound = inputs.content.sound
        hasBadge = inputs.content.badge != nil
        isFilteredOut = circumstances.filtersOut(inputs.content.filterCriteria)
        isCarPlayCategory =
            standing.isCarPlayConnected && circumstances.allowsInCarPlay(inputs.content.categoryIdentifier)

        intent = inputs.content.communication?.intent
        isMissedCall = inputs.content.communication?.isMissedCall ?? false
        notifiesRecipientAnyway = inputs.content.communication?.notifiesRecipientAnyway ?? false
        sender = intent != nil && standing.isFocusOn ? SenderFacts(inputs) : SenderFacts()
        isRepeatedCall = inputs.sinceLastCall.map { [standing] in $0 <= standing.repeatedCallWindow } ?? false

        isTimeSensitiveIntroduced = inputs.isTimeSensitiveIntroduced
        isProvisionalIntroduced = inputs.isProvisionalIntroduced
    }

    var settings: NotificationSettings { standing.settings }
    var level: InterruptionLevel { outcome.level }
    var timing: Timing { outcome.timing }
    var isCommunication: Bool { outcome.isCommunication }
    var isCritical: Bool { outcome.level == .critical }

    /// Somewhere on a screen.
    var isVisible: Bool { !outcome.presentation.isDisjoint(with: .surfaces) }
    /// Alerted as its level says: nothing holds it back.
    var isAlerting: Bool { timing == .now || timing == .foreground }
    /// Quiet whatever the content asks for; critical alerts are authorized by themselves.
    var isProvisional: Bool { authorization == .quiet && !isCritical }

    /// Whether the frontmost app's `willPresent` answers with an option.
    func lets(_ option: Presentation) -> Bool { standing.frontmostOptions?.contains(option) == true }
}

/// Who sent a communication notification, as the active Focus sees it.
struct SenderFacts: Sendable {
    var isAllowed = false
    var isContact = false
    var isFavorite = false
    var hasEmergencyBypass = false

    /// Nobody.
    init() {}

    init(_ inputs: InterruptionInputs) {
        guard let match = inputs.sender, let focus = inputs.circumstances.focus else { return }
        isAllowed = focus.people.allows(match.id)
        isContact = match.contact != nil
        isFavorite = match.contact?.isFavorite == true
        hasEmergencyBypass = match.contact?.hasEmergencyBypass == true
    }
}

extension InterruptionInputs {
    /// Who sent it, among the device's contacts; nil for what is no communication.
    var sender: PersonMatch? {
        guard let communication = content.communication else { return nil }
        return PersonMatch(
            communication.sender, in: circumstances.device.contacts, bundleID: circumstances.app.bundleID)
    }
}

extension Presentation {
    /// Where a notification can be seen.
    static let surfaces: Self = [.banner, .lockScreen, .notificationCenter]
}
