/// What nobody outside Apple knows for certain, each as a setting with its default (`assumptions:` in config.yaml).
package struct Assumptions: Sendable, Hashable, Codable {
    // MARK: Focus
    /// A communication notification is judged by its sender alone: an allowed app does not help (B.2, design).
    package var focusUsesSenderOnly = false
    /// What a Focus held back sounds when the Focus ends (B.4, design).
    package var focusReplaysAlerts = false
    /// A second call within this many milliseconds counts as repeated (B.5, gk).
    package var repeatedCallWindow: Int64 = 180_000

    // MARK: Levels, sounds, screens
    /// A critical level without an entitlement becomes this one (B.1, inferred).
    package var criticalDowngrade = InterruptionLevel.active
    /// A critical sound without an entitlement makes a passive notification active (B.1, inferred).
    package var criticalSoundRaises = true
    /// A locked device shows the list and no banner (B.3, gk).
    package var locksBanners = true
    /// A vibration comes only with a sound (B.9, gk).
    package var hapticNeedsSound = true
    /// Siri announces to headphones only while the device is locked or its screen off (B.8, gk).
    package var announcesOnlyWhenLocked = true
    /// Milliseconds of use between two reviews of Time Sensitive notifications (B.10, design).
    package var timeSensitiveReviewInterval: Int64 = 30 * 86_400_000
    /// How long an App Clip may notify, in milliseconds (B.1, gk).
    package var ephemeralLifetime: Int64 = 8 * 3_600_000

    // MARK: Scheduled summary
    /// The summary is asked before the Focus (B.1, design).
    package var summaryPrecedesFocus = true
    /// How many notifications are featured at the top (H.5, design).
    package var summaryFeaturedCount = 2
    /// What a media attachment adds to the relevance score (H.5, design).
    package var summaryMediaWeight = 0.5

    // MARK: Inbox
    /// `getDeliveredNotifications` returns what a Focus silenced (I.6, inferred).
    package var deliveredListsSilenced = true
    /// `getDeliveredNotifications` returns what waits for the summary (I.6, design).
    package var deliveredListsDeferred = false
    /// A negative badge set by the app clears the number and keeps the notifications (I.4, inferred).
    package var negativeBadgeKeepsNotifications = false
    /// Notifications of equal text within this many milliseconds are duplicates (I.3, design).
    package var duplicateWindow: Int64 = 86_400_000
    /// How many buttons the detail view shows (I.5; the HIG says up to four).
    package var actionsShown = 4
    /// `senderFirst` or `groupFirst`: which one a group message's title is (E.2).
    package var groupTitle = GroupTitle.senderFirst

    // MARK: Service extension
    /// `updating(from:)` takes a message without a sender and a call without contacts (E.1, design).
    package var lenientIntents = false
    /// Content is updated only from an intent whose conversation was donated before (E.1, design).
    package var strictDonation = false

    // MARK: Store and forward
    /// Only one push per app waits for an unreachable device (apns 8, doc).
    package var storesOnePerApp = true
    /// How long a push without `apns-expiration` waits, in milliseconds (apns 8, doc).
    package var storageTime: Int64 = 30 * 86_400_000
    /// Background pushes an app gets in an hour (apns 8, doc: "two or three").
    package var backgroundBudget = 3
    /// Complication pushes a day (apns 8, doc).
    package var complicationBudget = 50

    package init() {}

    /// Which name comes first in a group message.
    package enum GroupTitle: String, CaseIterable, Codable, Sendable {
        case senderFirst, groupFirst
    }
}

extension Assumptions {
    /// Reads assumptions; one that an earlier release did not know, and so a journal does not name, has its default.
    package init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ path: WritableKeyPath<Self, Value>, _ key: CodingKeys) throws {
            if let value = try members.decodeIfPresent(Value.self, forKey: key) { self[keyPath: path] = value }
        }
        try read(\.focusUsesSenderOnly, .focusUsesSenderOnly)
        try read(\.focusReplaysAlerts, .focusReplaysAlerts)
        try read(\.repeatedCallWindow, .repeatedCallWindow)
        try read(\.criticalDowngrade, .criticalDowngrade)
        try read(\.criticalSoundRaises, .criticalSoundRaises)
        try read(\.locksBanners, .locksBanners)
        try read(\.hapticNeedsSound, .hapticNeedsSound)
        try read(\.announcesOnlyWhenLocked, .announcesOnlyWhenLocked)
        try read(\.timeSensitiveReviewInterval, .timeSensitiveReviewInterval)
        try read(\.ephemeralLifetime, .ephemeralLifetime)
        try read(\.summaryPrecedesFocus, .summaryPrecedesFocus)
        try read(\.summaryFeaturedCount, .summaryFeaturedCount)
        try read(\.summaryMediaWeight, .summaryMediaWeight)
        try read(\.deliveredListsSilenced, .deliveredListsSilenced)
        try read(\.deliveredListsDeferred, .deliveredListsDeferred)
        try read(\.negativeBadgeKeepsNotifications, .negativeBadgeKeepsNotifications)
        try read(\.duplicateWindow, .duplicateWindow)
        try read(\.actionsShown, .actionsShown)
        try read(\.groupTitle, .groupTitle)
        try read(\.lenientIntents, .lenientIntents)
        try read(\.strictDonation, .strictDonation)
        try read(\.storesOnePerApp, .storesOnePerApp)
        try read(\.storageTime, .storageTime)
        try read(\.backgroundBudget, .backgroundBudget)
        try read(\.complicationBudget, .complicationBudget)
    }
}
