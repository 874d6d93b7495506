/// What the rules decide from: what is true of the push and its circumstances, and what the stages before decided.
///
/// Nothing in it is counted by reference; what has to be looked up among strings is looked up once, here, and only if a
/// rule can ask for it.
struct Situation {
    /// Everything known to be true.
    var facts: Facts
    /// As far as it is decided.
    var outcome = InterruptionOutcome()

    /// Before the first stage.
    init(_ inputs: borrowing InterruptionInputs) {
        facts = inputs.circumstances.facts
        insert(inputs.content)
        facts.insert(.isTimeSensitiveIntroduced, if: inputs.isTimeSensitiveIntroduced)
        facts.insert(.isTrialIntroduced, if: inputs.isProvisionalIntroduced)
        let isFilteredOut = inputs.circumstances.filtersOut(inputs.content.filterCriteria)
        facts.insert(.isFilteredOut, if: isFilteredOut)
        if facts.contains(.isCarPlayConnected) {
            let isAllowed = inputs.circumstances.allowsInCarPlay(inputs.content.categoryIdentifier)
            facts.insert(.isCarPlayCategory, if: isAllowed)
        }
        if case .some = inputs.content.communication { insertSender(inputs) }
    }

    private mutating func insert(_ content: borrowing ContentTraits) {
        facts.insert(.asksForPassive, if: content.level == .passive)
        facts.insert(.asksForTimeSensitive, if: content.level == .timeSensitive)
        facts.insert(.asksForCritical, if: content.level == .critical)
        facts.insert(.hasAlert, if: content.hasAlert)
        facts.insert(.hasBadge, if: content.badge != nil)
        facts.insert(.hasSound, if: content.sound != .none)
        facts.insert(.hasCriticalSound, if: content.sound == .critical)
    }

    private mutating func insertSender(_ inputs: borrowing InterruptionInputs) {
        guard let communication = inputs.content.communication else { return }
        let isCall = communication.intent == .startCall
        facts.insert(.hasIntent)
        facts.insert(.isIntentDeclared, if: facts.contains(isCall ? .declaresCalls : .declaresMessages))
        facts.insert(.notifiesAnyway, if: communication.notifiesRecipientAnyway)
        facts.insert(.isIncomingCall, if: isCall && !communication.isMissedCall)
        let window = inputs.circumstances.assumptions.repeatedCallWindow
        facts.insert(.isRepeatedCall, if: inputs.sinceLastCall.map { $0 <= window } ?? false)
        if facts.contains(.arePreviewsHidden) {
            let showsTitle = inputs.circumstances.showsHiddenTitle(inputs.content.categoryIdentifier)
            facts.insert(.showsHiddenTitle, if: showsTitle)
        }
        guard let focus = inputs.circumstances.focus, let match = inputs.sender else { return }
        facts.insert(.isSenderAllowed, if: focus.people.allows(match.id))
        facts.insert(.isSenderContact, if: match.contact != nil)
        facts.insert(.isSenderFavorite, if: match.contact?.isFavorite == true)
        facts.insert(.hasEmergencyBypass, if: match.contact?.hasEmergencyBypass == true)
    }
}

extension InterruptionInputs {
    /// Who sent it, among the device's contacts; nil for what is no communication.
    package var sender: PersonMatch? {
        guard let communication = content.communication else { return nil }
        return PersonMatch(communication.sender, in: circumstances.device, bundleID: circumstances.app.bundleID)
    }
}
