import TestSupport
import Testing

@testable import DeviceModel

@Suite struct ActionButtonTests {
    @Test(
        "S3-25 I.5 the detail view has up to four buttons",
        arguments: [
            (0, 4, 0), (1, 4, 1), (2, 4, 2), (3, 4, 3), (4, 4, 4), (5, 4, 4), (12, 12, 10), (11, 10, 10), (3, 1, 1),
            (3, 0, 0), (3, -1, 0),
        ])
    func room(actions: Int, shown: Int, detailView: Int) {
        let assumptions = Assumptions.with { $0.actionsShown = shown }
        let category = NotificationCategory(
            identifier: "c", actions: (0..<actions).map { NotificationAction(identifier: "a\($0)", title: "A\($0)") })
        #expect(category.buttons(assumptions).map(\.identifier) == (0..<detailView).map { "a\($0)" })
    }

    @Test(
        "S3-30 I.5 a button has its style and its requirements",
        arguments: [
            ([], false, false, false), ([.destructive], true, false, false), ([.foreground], false, true, true),
            ([.authenticationRequired], false, false, true),
            ([.destructive, .authenticationRequired], true, false, true),
            ([.foreground, .authenticationRequired], false, true, true),
        ] as [([NotificationAction.Option], Bool, Bool, Bool)])
    func options(options: [NotificationAction.Option], isRed: Bool, opensApp: Bool, needsUnlock: Bool) {
        let button = NotificationAction(identifier: "a", title: "A", options: options)
        #expect(button.isRed == isRed)
        #expect(button.opensApp == opensApp)
        #expect(button.needsUnlock == needsUnlock)
    }

    @Test("S0-4 S0-5 S3-31 the buttons of update-actions show their glyphs and text field") func updateActions() {
        let category = NotificationCategory(
            identifier: "update-actions",
            actions: [
                NotificationAction(
                    identifier: "like-action", title: "Like", icon: .init(systemImageName: "hand.thumbsup")),
                NotificationAction(
                    identifier: "comment-action", title: "Comment", icon: .init(templateImageName: "text.bubble"),
                    textInput: .init(buttonTitle: "Post", placeholder: "Type here…")),
            ])
        let buttons = category.buttons(Assumptions())
        #expect(buttons.map(\.title) == ["Like", "Comment"])
        #expect(buttons.map(\.glyph) == ["hand.thumbsup", "text.bubble"])
        #expect(buttons.map(\.textInput) == [nil, .init(buttonTitle: "Post", placeholder: "Type here…")])
    }
}

extension NotificationAction.Icon {
    init(systemImageName: String? = nil, templateImageName: String? = nil) {
        self.init()
        (self.systemImageName, self.templateImageName) = (systemImageName, templateImageName)
    }
}
