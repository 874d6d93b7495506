/// Whether the push sets the app's badge (B.1.5).
enum BadgeAnswer: String, Sendable, CustomStringConvertible {
    case unchanged = "the badge stays as it is"
    case set = "the badge is set"

    var description: String { rawValue }
}

/// Neither Focus nor summary nor level holds a badge back.
let badgeTable = DecisionTable<BadgeAnswer>(
    stage: "badge",
    rows: [
        .init("badge.none", .unchanged, "doc: Generating a remote notification") { _ in
            "does the content name no badge?"
        } when: {
            $0.content.badge == nil
        },
        .init("badge.off", .unchanged, "doc: Asking permission to use notifications") { _ in
            "are the app's badges turned off?"
        } when: {
            $0.settings.badge != .enabled
        },
        .init("badge.provisional", .unchanged, "inferred") { _ in
            "is the app on trial (provisional)?"
        } when: {
            $0.authorization == .quiet
        },
        .init("badge.frontmost", .unchanged, "doc: UNNotificationPresentationOptions") { _ in
            "does the frontmost app's willPresent answer without .badge?"
        } when: {
            $0.standing.isFrontmost && !$0.standing.frontmostOptions.contains(.badge)
        },
        .otherwise("badge.set", .set, "inferred"),
    ])
