/// What the rules decide from: what is true of the push and its circumstances, and what the stages before decided.
///
/// Nothing in it is counted by reference; what has to be looked up among strings is looked up once, here, and only if a
/// rule can ask for it.
struct Situation {
    /// Everything known to be true.
    var claims: Claims
    /// As far as it is decided.
    var outcome = InterruptionOutcome()

    /// Before the first stage.
    init(_ inputs: borrowing InterruptionInputs) {
        claims = inputs.circumstances.claims
        insert(inputs.content)
        claims.insert(.isTimeSensitiveIntroduced, if: inputs.isTimeSensitiveIntroduced)
        claims.insert(.isTrialIntroduced, if: inputs.isProvisionalIntroduced)
        let isFilteredOut = inputs.circumstances.filtersOut(inputs.content.filterCriteria)
        claims.insert(.isFilteredOut, if: isFilteredOut)
        if claims.contains(.isCarPlayConnected) {
            let isAllowed = inputs.circumstances.allowsInCarPlay(inputs.content.categoryIdentifier)
            claims.insert(.isCarPlayCategory, if: isAllowed)
        }
        if case .some = inputs.content.communication { insertSender(inputs) }
    }

    private mutating func insert(_ content: borrowing ContentTraits) {
        claims.insert(.asksForPassive, if: content.level == .passive)
        claims.insert(.asksForTimeSensitive, if: content.level == .timeSensitive)
        claims.insert(.asksForCritical, if: content.level == .critical)
        claims.insert(.hasAlert, if: content.hasAlert)
        claims.insert(.hasBadge, if: content.badge != nil)
        claims.insert(.hasSound, if: content.sound != .none)
        claims.insert(.hasCriticalSound, if: content.sound == .critical)
    }

    private mutating func insertSender(_ inputs: borrowing InterruptionInputs) {
        guard let communication = inputs.content.communication else { return }
        let isCall = communication.intent == .startCall
        claims.insert(.hasIntent)
        claims.insert(.isIntentDeclared, if: claims.contains(isCall ? .declaresCalls : .declaresMessages))
        claims.insert(.notifiesAnyway, if: communication.notifiesRecipientAnyway)
        claims.insert(.isIncomingCall, if: isCall && !communication.isMissedCall)
        let window = inputs.circumstances.assumptions.repeatedCallWindow
        claims.insert(.isRepeatedCall, if: inputs.sinceLastCall.map { $0 <= window } ?? false)
        if claims.contains(.arePreviewsHidden) {
            let showsTitle = inputs.circumstances.showsHiddenTitle(inputs.content.categoryIdentifier)
            claims.insert(.showsHiddenTitle, if: showsTitle)
        }
        guard let focus = inputs.circumstances.focus, let match = inputs.sender else { return }
        claims.insert(.isSenderAllowed, if: focus.people.allows(match.id))
        claims.insert(.isSenderContact, if: match.contact != nil)
        claims.insert(.isSenderFavorite, if: match.contact?.isFavorite == true)
        claims.insert(.hasEmergencyBypass, if: match.contact?.hasEmergencyBypass == true)
    }
}

extension InterruptionInputs {
    /// Who sent it, among the device's contacts; nil for what is no communication.
    public var sender: PersonMatch? {
        guard let communication = content.communication else { return nil }
        return PersonMatch(communication.sender, in: circumstances.device, bundleID: circumstances.app.bundleID)
    }
}
