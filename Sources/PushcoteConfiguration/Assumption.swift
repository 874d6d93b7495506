internal import DeviceModel

/// A setting for what nobody outside Apple knows for certain, and where its default comes from.
package struct Assumption: Sendable {
    package let setting: Setting
    /// What the setting is, or what holds when it is true.
    package let sentence: String
    package let mark: Mark

    /// How well founded a default is.
    package enum Mark: String, CaseIterable, Sendable {
        case doc, gk, inferred, design

        /// For people.
        package var meaning: String {
            switch self {
            case .doc: "documented by Apple, at least indirectly"
            case .gk: "general knowledge: devices behave like this, but no document says so"
            case .inferred: "follows from the documentation, which does not say it explicitly"
            case .design: "unknown: our choice, made to keep the device predictable"
            }
        }
    }

    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ format: SettingFormat<Value>,
        unit: String? = nil, _ mark: Mark, _ sentence: String
    ) {
        self.mark = mark
        self.sentence = sentence
        setting = Setting("assumptions.\(name)", path, format, unit: unit, "\(sentence) [\(mark.rawValue)]")
    }
}

// MARK: The table

extension Assumption {
    /// Every member of `Assumptions`, in its order.
    package static let all: [Assumption] = focus + presentation + summary + inbox + people + storage

    private static let focus: [Assumption] = [
        Assumption(
            "focusUsesSenderOnly", \.assumptions.focusUsesSenderOnly, .bool, .design,
            "A Focus checks only the sender of a communication notification, so allowing the app has no effect."),
        Assumption(
            "focusReplaysAlerts", \.assumptions.focusReplaysAlerts, .bool, .design,
            "Notifications that a Focus silenced play their sound when the Focus ends."),
        Assumption(
            "repeatedCallWindow", \.assumptions.repeatedCallWindow, .milliseconds, .gk,
            "A second call from the same caller within this time counts as repeated."),
    ]

    private static let presentation: [Assumption] = [
        Assumption(
            "criticalDowngrade", \.assumptions.criticalDowngrade, .word(), .inferred,
            "The level that replaces critical for an app without the entitlement."),
        Assumption(
            "criticalSoundRaises", \.assumptions.criticalSoundRaises, .bool, .inferred,
            "A critical sound makes a passive notification active for an app without the entitlement."),
        Assumption(
            "locksBanners", \.assumptions.locksBanners, .bool, .gk,
            "A locked device shows the list and no banners."),
        Assumption(
            "hapticNeedsSound", \.assumptions.hapticNeedsSound, .bool, .gk,
            "The device vibrates only together with a sound."),
        Assumption(
            "announcesOnlyWhenLocked", \.assumptions.announcesOnlyWhenLocked, .bool, .gk,
            "Siri announces on headphones only while the device is locked or its screen is off."),
        Assumption(
            "timeSensitiveReviewInterval", \.assumptions.timeSensitiveReviewInterval, .milliseconds, .design,
            "How long after a review of an app's Time Sensitive notifications the system asks again."),
        Assumption(
            "ephemeralLifetime", \.assumptions.ephemeralLifetime, .milliseconds, .gk,
            "How long an App Clip may show notifications."),
    ]

    private static let summary: [Assumption] = [
        Assumption(
            "summaryPrecedesFocus", \.assumptions.summaryPrecedesFocus, .bool, .design,
            "The scheduled summary is evaluated before the Focus."),
        Assumption(
            "summaryFeaturedCount", \.assumptions.summaryFeaturedCount, .number(0...Int.max), unit: "notifications",
            .design, "How many notifications the scheduled summary features at its top."),
        Assumption(
            "summaryMediaWeight", \.assumptions.summaryMediaWeight, .fraction, .design,
            "What a media attachment adds to the relevance score."),
    ]

    private static let inbox: [Assumption] = [
        Assumption(
            "deliveredListsSilenced", \.assumptions.deliveredListsSilenced, .bool, .inferred,
            "The app's list of delivered notifications includes what a Focus silenced."),
        Assumption(
            "deliveredListsDeferred", \.assumptions.deliveredListsDeferred, .bool, .design,
            "The app's list of delivered notifications includes what waits for the summary."),
        Assumption(
            "negativeBadgeKeepsNotifications", \.assumptions.negativeBadgeKeepsNotifications, .bool, .inferred,
            "A negative badge set by the app clears the number and does not remove notifications."),
        Assumption(
            "duplicateWindow", \.assumptions.duplicateWindow, .milliseconds, .design,
            "Notifications with the same text within this time are duplicates."),
        Assumption(
            "actionsShown", \.assumptions.actionsShown, .number(0...10), unit: "buttons", .doc,
            "How many buttons the detail view shows."),
        Assumption(
            "groupTitle", \.assumptions.groupTitle, .word(), .doc,
            "Which name is the title of a group message; the other is its subtitle."),
    ]

    private static let people: [Assumption] = [
        Assumption(
            "lenientIntents", \.assumptions.lenientIntents, .bool, .design,
            "A message without a sender, or a call without contacts, updates a notification."),
        Assumption(
            "strictDonation", \.assumptions.strictDonation, .bool, .design,
            "An intent updates a notification only if its conversation was donated before."),
    ]

    private static let storage: [Assumption] = [
        Assumption(
            "storesOnePerApp", \.assumptions.storesOnePerApp, .bool, .doc,
            "Only the newest push of an app is stored for an unreachable device."),
        Assumption(
            "storageTime", \.assumptions.storageTime, .milliseconds, .doc,
            "How long a push without apns-expiration is stored."),
        Assumption(
            "backgroundBudget", \.assumptions.backgroundBudget, .number(0...Int.max), unit: "an hour", .doc,
            "How many background pushes an app gets."),
        Assumption(
            "complicationBudget", \.assumptions.complicationBudget, .number(0...Int.max), unit: "a day", .doc,
            "How many complication pushes an app gets."),
    ]
}
