internal import DeviceModel
internal import Fields

extension LintRule {
    static let categories = [
        LintRule(
            "category.unknown", .warning, "doc: UNNotificationCategory",
            "the app has not registered the category, so no buttons are shown",
            fix: #""category": "SHIP", which setNotificationCategories was called with"#, needs: [.app]
        ) { facts in
            let identifier = facts.content.categoryIdentifier
            // [design] The categories of an app without any are unknown.
            guard let app = facts.app, !app.categories.isEmpty, !identifier.isEmpty else { return [] }
            let nearest = NearestName.of(identifier, among: app.categories.map(\.identifier))
            let hint = nearest.map { ", did you mean \"\($0)\"?" } ?? ""
            return hit(PayloadKey.category.path, "\"\(identifier)\"\(hint)", if: app.category(identifier) == nil)
        },
        LintRule(
            "preview.noPlaceholder", .info, "HIG Notifications (S3-20)",
            "a hidden preview of the category shows only \"Notification\"",
            fix: #"hiddenPreviewsBodyPlaceholder: "Shipment""#,
            category: { category, _ in
                hit(category.path, if: (category.hiddenPreviewsBodyPlaceholder ?? "").isEmpty)
            }),
        LintRule(
            "actions.tooMany", .warning, "HIG Notifications (S3-25)", "only four buttons are shown",
            fix: "the four that matter most",
            category: { category, _ in
                hit(category.path, "there are \(category.actions.count)", if: category.actions.count > 4)
            }),
        LintRule(
            "action.title.long", .warning, "HIG Notifications (S3-27)",
            "a button title of more than 20 characters is truncated", fix: #"title: "Track Parcel""#,
            category: { category, _ in category.hits { $0.title.count > 20 } }),
        LintRule(
            "action.title.case", .warning, "HIG Notifications (S3-27)", "a button title should be in title case",
            fix: #"title: "Mark as Read""#,
            category: { category, _ in category.hits { !$0.title.isTitleCased } }),
        LintRule(
            "action.opensAppOnly", .warning, "HIG Notifications (S3-28)",
            "the only button does the same as a tap on the notification",
            fix: "a button that completes something without opening the app",
            category: { category, _ in
                guard category.actions.count == 1 else { return [] }
                return category.hits { $0.options.contains(.foreground) && $0.textInput == nil }
            }),
        LintRule(
            "action.destructive", .warning, "HIG Notifications (S3-30)",
            "avoid destructive buttons: people press them without seeing what they lose",
            fix: "leave deleting to the app",
            category: { category, _ in category.hits { $0.options.contains(.destructive) } }),
        LintRule(
            "action.noIcon", .warning, "HIG Notifications (S3-31); WWDC21 10091 (S0-6)",
            "a button should have a symbol after its title", fix: #"icon: {systemImageName: "hand.thumbsup"}"#,
            category: { category, _ in category.hits { $0.glyph == nil } }),
        LintRule(
            "action.duplicateId", .warning, "doc: UNNotificationCategory",
            "two buttons of the category have the same identifier",
            fix: #"identifier: "like-action" and identifier: "comment-action""#,
            category: { category, _ in
                let identifiers = category.actions.map(\.identifier)
                return category.actions.enumerated().filter {
                    identifiers[..<$0.offset].contains($0.element.identifier)
                }
                .map { category.hit($0.element) }
            }),
    ]
}

extension NotificationCategory {
    fileprivate var path: String { "categories.\(identifier)" }

    func hit(_ action: NotificationAction, _ detail: String = "") -> LintRule.Hit {
        LintRule.Hit(path: "\(path).actions.\(action.identifier)", detail: detail)
    }

    fileprivate func hits(_ isWrong: (NotificationAction) -> Bool) -> [LintRule.Hit] {
        actions.filter(isWrong).map { hit($0, "\"\($0.title)\"") }
    }
}

extension String {
    /// The first, the last and every word of at least four letters starts with a capital; true in scripts without
    /// capitals.
    fileprivate var isTitleCased: Bool {
        let words = split { !$0.isLetter && $0 != "'" && $0 != "’" }
        return words.indices.allSatisfy { index in
            let isMinor = index > 0 && index < words.count - 1 && words[index].count < 4
            return isMinor || words[index].first?.isLowercase == false
        }
    }
}
