/// Whether the push sets the app's badge (B.1.5).
enum BadgeAnswer: String, PolicyAnswer {
    case unchanged = "the badge is unchanged"
    case set = "the badge is set"
}

/// Focus, summary and level do not delay a badge.
let badgeTable = DecisionTable<Situation, BadgeAnswer>(
    stage: "badge",
    rows: [
        .init("badge.none", .unchanged, "doc: Generating a remote notification")
            .asks("does the content name no badge?", unless: [.hasBadge]),
        .init("badge.off", .unchanged, "doc: Asking permission to use notifications")
            .asks("are the app's badges turned off?", unless: [.isBadgeOn]),
        .init("badge.provisional", .unchanged, "inferred")
            .asks("is the app's authorization provisional?", when: [.isProvisional]),
        .init("badge.frontmost", .unchanged, "doc: UNNotificationPresentationOptions")
            .asks("does the foreground app's willPresent omit .badge?", when: [.isFrontmost], unless: [.letsBadge]),
        .otherwise("badge.set", .set, "inferred"),
    ])

/// What a number from `aps.badge` or `setBadgeCount(_:)` does (I.4).
package struct BadgeNumber {
    /// On the icon; 0 shows no badge.
    package let count: Int
    /// 0 also removes the app's notifications. −1, where it is allowed, keeps them.
    package let removesNotifications: Bool

    /// No badge.
    package static let none = Self(count: 0, removesNotifications: true)

    private init(count: Int, removesNotifications: Bool) {
        (self.count, self.removesNotifications) = (count, removesNotifications)
    }

    /// - Returns: nil for a number that `setBadgeCount(_:)` rejects.
    package init?(_ number: Int, _ assumptions: Assumptions) {
        guard number >= 0 || (number == -1 && assumptions.negativeBadgeKeepsNotifications) else { return nil }
        (count, removesNotifications) = (max(0, number), number == 0)
    }
}
