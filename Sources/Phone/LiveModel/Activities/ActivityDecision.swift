internal import APNs
package import DeviceModel
package import Time

/// The facts on which the decision about a push depends; one bit each.
package enum ActivityFact: UInt8, CaseIterable, Codable, Sendable {
    case hasAPS, isStart, isUpdate, isEnd
    case isToPushToStart, isStaleToken, isOtherType
    case isSupported, isDenied
    case hasTimestamp, isFuture, isOlder, isPast
    // About a start.
    case hasAlert, isTypeKnown, attributesFail, hasBothInputs, isChannelUnknown
    case isAppFull, isDeviceFull, isStartBudgetSpent
    // About an update or end.
    case isOver, isUpdateBudgetSpent
    case isTooLarge, contentFails
    // Assumptions.
    case endIgnoresTimestamp, enforcesBudgets
    // About the alert.
    case hasAlertText, hasAlertTitle, hasAlertSound, isPassive, isFrontmost, isSilencedByFocus, isRingSwitchSilent
    case alertNeedsTitle, soundsByDefault
    case isApplied
    case isFeatureMissing, holdsUntilRefill
    /// The activity starts later, so nothing shows it.
    case isPending
}

/// What the device did with a push, and the facts it decided on; enough to explain it later.
package struct ActivityDecision: Hashable, Codable, Sendable, Decidable {
    package internal(set) var facts: FactSet<ActivityFact> = []
    var notification: UInt64?
    package internal(set) var bundleID: String
    var environment = APNsEnvironment.sandbox
    /// `event` as sent.
    package internal(set) var event: String?
    /// The activity that was started, updated or ended.
    package internal(set) var activity: String?
    package internal(set) var type: String?
    /// A declared type with a similar name.
    package internal(set) var nearestType: String?
    package internal(set) var at: Instant
    /// In seconds since 1970.
    package internal(set) var timestamp: Double?
    package internal(set) var lastTimestamp: Double?
    package internal(set) var failure: DecodingFailure?
    package internal(set) var byteCount: Int?
    package internal(set) var count: Int?
    package internal(set) var focus: String?
    /// The device's version of iOS, if it is too old.
    package internal(set) var osVersion: String?
    /// Why the device dropped it; nil if it was applied or held.
    package internal(set) var reason: DiscardReason?
    package internal(set) var alert: AlertOutcome?
    package internal(set) var notes: [Note] = []

    /// The part of a finding that depends on the device's state.
    package struct Note: Hashable, Codable, Sendable {
        /// The lint rule's identifier.
        package var id: String
        package var detail: String
    }

    init(bundleID: String, at: Instant) {
        self.bundleID = bundleID
        self.at = at
    }

    mutating func insert(_ fact: ActivityFact, if isTrue: Bool = true) { facts.insert(fact, if: isTrue) }

    mutating func note(_ id: String, _ detail: String = "", if isTrue: Bool = true) {
        if isTrue { notes.append(Note(id: id, detail: detail)) }
    }
}

/// How an applied push alerts the person (`activityAlert`).
package struct AlertOutcome: Hashable, Codable, Sendable {
    package enum Presentation: String, CaseIterable, Codable, Sendable { case none, lockScreen, expanded, banner }

    package internal(set) var lit = false
    /// `default` or a file; nil for none.
    package internal(set) var sound: String?
    package internal(set) var vibrates = false
    package internal(set) var presentation = Presentation.none
    /// The rule that suppressed the alert.
    package internal(set) var suppressedBy: String?
}

extension ActivityDecision {
    mutating func decide(_ trace: Trace<Void>?) -> ActivityVerdict {
        var verdict = addressTable.decide(self, trace) ?? .applied
        if verdict == .applied {
            verdict = (facts.contains(.isStart) ? startTable : updateTable).decide(self, trace) ?? .applied
        }
        trace?.decides()
        insert(.isApplied, if: verdict == .applied)
        return verdict
    }

    /// Decides as the device did and records every rule tried.
    package var trace: Trace<Void> {
        let trace = Trace()
        var decision = self
        if decision.decide(trace) == .applied, facts.contains(.hasAlert) {
            _ = alertTable.decide(decision, trace)
            _ = alertSoundTable.decide(decision, trace)
        }
        return trace
    }

    package var sentence: String {
        let what = event ?? "A push without an event"
        guard let reason else {
            if !facts.contains(.isApplied) { return "Held the update until the app's budget refills." }
            let done = ["start": "Started", "update": "Updated", "end": "Ended"][what] ?? "Applied to"
            return "\(done) the Live Activity\(alert.map { ", " + $0.sentencePart } ?? "")."
        }
        let trace = trace
        let step = trace.steps[trace.decisive]
        return "The device dropped the push (\(what)): \(reason.words). Rule \(step.rule): \(step.facts) Yes."
    }
}

extension AlertOutcome {
    fileprivate var sentencePart: String {
        if let suppressedBy {
            let because = ["noTitle": "it has no title", "empty": "it is empty", "passive": "it is passive"][
                suppressedBy]
            return "with an alert that was held back because \(because ?? "of the Focus")"
        }
        let parts = [
            lit ? "screen lit" : nil, sound.map { "sound \($0)" }, vibrates ? "vibration" : nil,
            presentation.sentencePart,
        ].compactMap(\.self)
        return "with an alert: " + (parts.isEmpty ? "nothing noticeable" : parts.joined(separator: ", "))
    }
}

extension AlertOutcome.Presentation {
    fileprivate var sentencePart: String? {
        switch self {
        case .none: nil
        case .lockScreen: "on the lock screen"
        case .expanded: "in the Dynamic Island"
        case .banner: "in a banner"
        }
    }
}
