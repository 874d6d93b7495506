import Lint
import Testing

@testable import DeviceModel

@Suite struct CategoryLintTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var name: String
        var isFound: Bool
        var edit: @Sendable (inout NotificationCategory) -> Void
        var testDescription: String { "\(name) [\(rule)]" }

        static func found(
            _ rule: String, _ name: String, _ edit: @escaping @Sendable (inout NotificationCategory) -> Void
        ) -> Row { Row(rule: rule, name: name, isFound: true, edit: edit) }

        static func passed(
            _ rule: String, _ name: String, _ edit: @escaping @Sendable (inout NotificationCategory) -> Void = { _ in }
        ) -> Row { Row(rule: rule, name: name, isFound: false, edit: edit) }
    }

    static let rows: [Row] = [
        .found("preview.noPlaceholder", "S3-20 none") { $0.hiddenPreviewsBodyPlaceholder = nil },
        .passed("preview.noPlaceholder", "S3-20 Shipment"),
        .found("actions.tooMany", "S3-25 five") { $0.count(5) },
        .passed("actions.tooMany", "S3-25 four") { $0.count(4) },
        .found("action.title.long", "S3-27 21 characters") { $0.actions[0].title = "Track This Big Parcel" },
        .passed("action.title.long", "S3-27 20 characters") { $0.actions[0].title = "Track Our Big Parcel" },
        .found("action.title.case", "S3-27 small letters") { $0.actions[0].title = "Mark as read" },
        .passed("action.title.case", "S3-27 title case") { $0.actions[0].title = "Mark as Read" },
        .passed("action.title.case", "S3-27 no capitals to be had") { $0.actions[0].title = "返信する" },
        .found("text.appName", "S3-27 the app's name") { $0.actions[0].title = "Open Post Haste" },
        .passed("text.appName", "S3-27 no name"),
        .found("action.opensAppOnly", "S3-28 the only button") { $0.actions[0].options = [.foreground] },
        .passed("action.opensAppOnly", "S3-28 one of two") {
            $0.count(2)
            $0.actions[0].options = [.foreground]
        },
        .passed("action.opensAppOnly", "S3-28 a text field") {
            $0.actions[0].options = [.foreground]
            $0.actions[0].textInput = .init(buttonTitle: "Post")
        },
        .found("action.destructive", "S3-30 destructive") { $0.actions[0].options = [.destructive] },
        .passed("action.destructive", "S3-30 with the passcode") { $0.actions[0].options = [.authenticationRequired] },
        .found("action.noIcon", "S0-6 S3-31 none") { $0.actions[0].icon = nil },
        .found("action.noIcon", "S3-31 an empty one") { $0.actions[0].icon = .init() },
        .passed("action.noIcon", "S0-2 a template image") {
            $0.actions[0].icon = .init(templateImageName: "text.bubble")
        },
        .found("action.duplicateId", "I.5 twice") { $0.actions.append($0.actions[0]) },
        .passed("action.duplicateId", "I.5 two") { $0.count(2) },
    ]

    @Test("X1 each category rule finds its violation", arguments: rows) func finds(_ row: Row) {
        var app = LintRow.app
        row.edit(&app.categories[0])
        let findings = Lint.findings(forCategoriesOf: app).filter { $0.id == row.rule }
        #expect(findings.count == (row.isFound ? 1 : 0))
        #expect(findings.allSatisfy { $0.path.hasPrefix("categories.SHIP") && $0.source != nil })
        #expect(Lint.findings(forCategoriesOf: app, silencing: [row.rule]).allSatisfy { $0.id != row.rule })
    }

    @Test("S0-5 the session's category has no findings except its missing text placeholder") func likesTheSeed() {
        let like = NotificationAction(
            identifier: "like-action", title: "Like", icon: .init(systemImageName: "hand.thumbsup"))
        let comment = NotificationAction(
            identifier: "comment-action", title: "Comment", icon: .init(templateImageName: "text.bubble"),
            textInput: .init(buttonTitle: "Post", placeholder: "Type here…"))
        var app = App(bundleID: "com.example.update", displayName: "Updates")
        app.categories = [NotificationCategory(identifier: "update-actions", actions: [like, comment])]
        #expect(Lint.findings(forCategoriesOf: app).map(\.id) == ["preview.noPlaceholder"])
    }
}

extension NotificationCategory {
    fileprivate mutating func count(_ count: Int) {
        actions = (0..<count).map { number in
            var action = actions[0]
            action.identifier += "\(number)"
            return action
        }
    }
}
