/// The rules' input: facts about the push and its context, and the decisions of earlier stages. Holds no references;
/// looks strings up once, here, and only if a rule can ask for the result.
struct Situation {
    var facts: Facts
    var outcome = InterruptionOutcome()

    init(_ inputs: borrowing InterruptionInputs) {
        facts = inputs.context.facts
        insert(inputs.content)
        facts.insert(.isTimeSensitiveIntroduced, if: inputs.isTimeSensitiveIntroduced)
        facts.insert(.isProvisionalIntroduced, if: inputs.isProvisionalIntroduced)
        facts.insert(.isFilteredOut, if: inputs.context.filtersOut(inputs.content.filterCriteria))
        if facts.contains(.isCarPlayConnected) {
            let isAllowed = inputs.context.category(inputs.content.categoryIdentifier, has: .allowInCarPlay)
            facts.insert(.isCarPlayCategory, if: isAllowed)
        }
        if inputs.content.isCommunication { insertSender(inputs) }
    }

    private mutating func insert(_ content: borrowing ContentTraits) {
        facts.insert(.asksForPassive, if: content.level == .passive)
        facts.insert(.asksForTimeSensitive, if: content.level == .timeSensitive)
        facts.insert(.asksForCritical, if: content.level == .critical)
        facts.insert(.hasAlert, if: content.hasAlert)
        facts.insert(.hasBadge, if: content.badge != nil)
        facts.insert(.hasSound, if: content.sound != .none)
        facts.insert(.hasCriticalSound, if: content.sound == .critical)
        let takesName = !facts.contains(.criticalSoundNeedsDictionary)
        facts.insert(.hasSoundForCritical, if: content.sound == .critical || takesName && content.sound != .none)
    }

    private mutating func insertSender(_ inputs: borrowing InterruptionInputs) {
        guard let communication = inputs.content.communication else { return }
        let isCall = communication.intent == .startCall
        facts.insert(.hasIntent)
        facts.insert(.isIntentDeclared, if: facts.contains(isCall ? .declaresCalls : .declaresMessages))
        facts.insert(.notifiesAnyway, if: communication.notifiesRecipientAnyway)
        facts.insert(.isIncomingCall, if: isCall && !communication.isMissedCall)
        let window = inputs.context.assumptions.repeatedCallWindow
        facts.insert(.isRepeatedCall, if: inputs.sinceLastCall.map { $0 <= window } ?? false)
        if facts.contains(.arePreviewsHidden) {
            let showsTitle = inputs.context.category(inputs.content.categoryIdentifier, has: .hiddenPreviewsShowTitle)
            facts.insert(.showsHiddenTitle, if: showsTitle)
        }
        guard let focus = inputs.context.focus, let match = inputs.sender else { return }
        facts.insert(.isSenderAllowed, if: focus.people.allows(match.id))
        facts.insert(.isSenderContact, if: match.contact != nil)
        facts.insert(.isSenderFavorite, if: match.contact?.isFavorite == true)
        facts.insert(.hasEmergencyBypass, if: match.contact?.hasEmergencyBypass == true)
    }
}

extension InterruptionInputs {
    package var sender: PersonMatch? {
        guard let communication = content.communication else { return nil }
        return PersonMatch(communication.sender, in: context.device, bundleID: context.app.bundleID)
    }
}
