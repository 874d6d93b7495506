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
            case .doc: "Apple's documents or sessions say so, or nearly"
            case .gk: "general knowledge: devices behave so, but no document says it"
            case .inferred: "follows from what is documented, although nobody says it outright"
            case .design: "nobody knows: a choice that makes the device predictable"
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
            "A Focus judges a communication notification by its sender alone, so that an allowed app does not help."),
        Assumption(
            "focusReplaysAlerts", \.assumptions.focusReplaysAlerts, .bool, .design,
            "What a Focus held back sounds when the Focus ends."),
        Assumption(
            "repeatedCallWindow", \.assumptions.repeatedCallWindow, .milliseconds, .gk,
            "A second call from the same caller within this time counts as repeated."),
    ]

    private static let presentation: [Assumption] = [
        Assumption(
            "criticalDowngrade", \.assumptions.criticalDowngrade, .word(), .inferred,
            "What the critical level becomes for an app without the entitlement."),
        Assumption(
            "criticalSoundRaises", \.assumptions.criticalSoundRaises, .bool, .inferred,
            "A critical sound makes a passive notification active for an app without the entitlement."),
        Assumption(
            "locksBanners", \.assumptions.locksBanners, .bool, .gk,
            "A locked device shows the list and no banner."),
        Assumption(
            "hapticNeedsSound", \.assumptions.hapticNeedsSound, .bool, .gk,
            "A vibration comes only with a sound."),
        Assumption(
            "announcesOnlyWhenLocked", \.assumptions.announcesOnlyWhenLocked, .bool, .gk,
            "Siri announces to headphones only while the device is locked or its screen off."),
        Assumption(
            "timeSensitiveReviewInterval", \.assumptions.timeSensitiveReviewInterval, .milliseconds, .design,
            "How long after a review of an app's Time Sensitive notifications the system asks again."),
        Assumption(
            "ephemeralLifetime", \.assumptions.ephemeralLifetime, .milliseconds, .gk,
            "How long an App Clip may notify."),
    ]

    private static let summary: [Assumption] = [
        Assumption(
            "summaryPrecedesFocus", \.assumptions.summaryPrecedesFocus, .bool, .design,
            "The scheduled summary is asked before the Focus."),
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
            "The app's list of delivered notifications has what a Focus silenced."),
        Assumption(
            "deliveredListsDeferred", \.assumptions.deliveredListsDeferred, .bool, .design,
            "The app's list of delivered notifications has what waits for the summary."),
        Assumption(
            "negativeBadgeKeepsNotifications", \.assumptions.negativeBadgeKeepsNotifications, .bool, .inferred,
            "A negative badge set by the app clears the number and keeps the notifications."),
        Assumption(
            "duplicateWindow", \.assumptions.duplicateWindow, .milliseconds, .design,
            "Notifications of equal text within this time are duplicates."),
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
            "A notification is updated from a message without a sender and from a call without contacts."),
        Assumption(
            "strictDonation", \.assumptions.strictDonation, .bool, .design,
            "A notification is updated only from an intent of a conversation that was donated before."),
    ]

    private static let storage: [Assumption] = [
        Assumption(
            "storesOnePerApp", \.assumptions.storesOnePerApp, .bool, .doc,
            "Only the newest push of an app waits for a device that cannot be reached."),
        Assumption(
            "storageTime", \.assumptions.storageTime, .milliseconds, .doc,
            "How long a push without apns-expiration waits for a device."),
        Assumption(
            "backgroundBudget", \.assumptions.backgroundBudget, .number(0...Int.max), unit: "an hour", .doc,
            "How many background pushes an app gets."),
        Assumption(
            "complicationBudget", \.assumptions.complicationBudget, .number(0...Int.max), unit: "a day", .doc,
            "How many complication pushes an app gets."),
    ]
}
