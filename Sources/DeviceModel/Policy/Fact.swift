/// What may be true of a push, its circumstances and what was decided so far; rules are made of these.
enum Fact: UInt8, CaseIterable, Sendable {
    // MARK: The app
    case isTimeSensitiveEntitled, isCriticalEntitled, isCommunicationEntitled
    case declaresMessages, declaresCalls
    case isFocusStatusAuthorized
    /// What the app's `willPresent` answers; none of the last four without a delegate.
    case hasDelegate, letsBadge, letsSound, letsList, letsBanner

    // MARK: The app's settings; a missing entitlement counts as `notSupported`, and that as off (B.0, inferred)
    case isAuthorized, isDenied, isAppClip
    /// Provisionally authorized.
    case isOnTrial
    case isTimeSensitiveOn, isCriticalOn, areDirectMessagesOn
    case isAlertOn, isSoundOn, isBadgeOn, isLockScreenOn, isNotificationCenterOn, isCarPlayOn
    case isScheduled, isAppAnnounced, announcesEverything
    case hasNoAlertStyle, hasPersistentBanners, arePreviewsHidden

    // MARK: The device
    /// Unlocked and lit: somebody looks at it.
    case isInUse
    /// The app is in front of somebody.
    case isFrontmost
    case isSummaryOn
    case isRingSwitchSilent
    /// The device may vibrate as its ring switch is.
    case isHapticOn
    case isAnnouncingOn, announcesToHeadphones
    /// Headphones or a HomePod to which Siri announces.
    case hasAnnouncingRoute
    case hasHeadphones, hasHomePod
    case isCarPlayConnected
    /// The app's communication notifications are read out in the car.
    case isReadInCar

    // MARK: The active Focus
    case isFocusOn, isAppAllowed
    /// The Focus lets the app's Time Sensitive notifications through.
    case isTimeSensitiveAllowed
    case showsSilencedOnLockScreen
    case allowsEveryonesCalls, allowsPeoplesCalls, allowsFavoritesCalls, allowsContactsCalls, allowsRepeatedCalls

    // MARK: Assumptions
    case usesSenderOnly, locksBanners, hapticNeedsSound, announcesOnlyWhenLocked, criticalSoundRaises

    // MARK: The content
    case asksForPassive, asksForTimeSensitive, asksForCritical
    case hasAlert, hasBadge, hasSound, hasCriticalSound
    /// Its criteria are not among those that the app's Focus filter lets through.
    case isFilteredOut
    case isCarPlayCategory
    /// Its category shows the title although previews are hidden.
    case showsHiddenTitle
    case isTimeSensitiveIntroduced, isTrialIntroduced

    // MARK: The sender
    case hasIntent, isIntentDeclared, notifiesAnyway
    case isIncomingCall, isRepeatedCall
    case isSenderAllowed, isSenderContact, isSenderFavorite, hasEmergencyBypass

    // MARK: Decided by a stage
    case isPassive, isTimeSensitive, isCritical, isCommunication
    /// A communication notification for which the Focus asks for the sender alone.
    case judgesSenderOnly
    /// On trial, and no critical alert.
    case isQuiet
    case isNow, isLeftToApp, isDeliveredQuietly, isSilenced, isDeferred
    /// Nothing holds the alert back: now, or left to the frontmost app.
    case isAlerting
    case isVisible, showsBanner
    case isSoundDue
}

/// A set of facts.
struct Facts: Sendable, Hashable, ExpressibleByArrayLiteral {
    // One bit for each fact: 128 fit.
    private(set) var bits: UInt128 = 0

    /// Nothing is true.
    init() {}

    /// These are true.
    init(arrayLiteral facts: Fact...) {
        for fact in facts { insert(fact) }
    }

    /// Adds a fact if it is true.
    @inline(__always)
    mutating func insert(_ fact: Fact, if isTrue: Bool = true) {
        bits |= UInt128(truncatingIfNeeded: isTrue ? 1 : 0) << UInt128(truncatingIfNeeded: fact.rawValue)
    }

    /// Whether a fact is in it.
    @inline(__always)
    func contains(_ fact: Fact) -> Bool { bits & (1 << UInt128(truncatingIfNeeded: fact.rawValue)) != 0 }

    /// Whether all of `wanted` are in it, and none of `unwanted`.
    @inline(__always)
    func match(_ wanted: Facts, without unwanted: Facts) -> Bool {
        bits & (wanted.bits | unwanted.bits) == wanted.bits
    }
}
