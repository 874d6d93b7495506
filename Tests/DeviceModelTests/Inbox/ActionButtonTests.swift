import DeviceModel
import Testing

@Suite struct ActionButtonTests {
    @Test(
        "S3-25 I.5 up to four buttons in the detail view, two with a banner",
        arguments: [
            (0, 4, 0, 0), (1, 4, 1, 1), (2, 4, 2, 2), (3, 4, 2, 3), (4, 4, 2, 4), (5, 4, 2, 4), (12, 12, 2, 10),
            (11, 10, 2, 10), (3, 1, 1, 1), (3, 0, 0, 0), (3, -1, 0, 0),
        ])
    func room(actions: Int, shown: Int, banner: Int, detailView: Int) {
        var assumptions = Assumptions()
        assumptions.actionsShown = shown
        let category = NotificationCategory(
            identifier: "c", actions: (0..<actions).map { NotificationAction(identifier: "a\($0)", title: "A\($0)") })
        for (place, count) in [(NotificationCategory.ButtonPlace.banner, banner), (.detailView, detailView)] {
            let buttons = category.buttons(in: place, assumptions: assumptions)
            #expect(buttons.map(\.identifier) == (0..<count).map { "a\($0)" })
        }
    }

    @Test(
        "S3-30 I.5 what a button looks like and needs",
        arguments: [
            ([], false, false, false), ([.destructive], true, false, false), ([.foreground], false, true, true),
            ([.authenticationRequired], false, false, true),
            ([.destructive, .authenticationRequired], true, false, true),
            ([.foreground, .authenticationRequired], false, true, true),
        ] as [([NotificationAction.Option], Bool, Bool, Bool)])
    func options(options: [NotificationAction.Option], isRed: Bool, opensApp: Bool, needsUnlock: Bool) {
        let button = ActionButton(NotificationAction(identifier: "a", title: "A", options: options))
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
        let buttons = category.buttons(in: .detailView, assumptions: Assumptions())
        #expect(buttons.map(\.title) == ["Like", "Comment"])
        #expect(buttons.map(\.glyph) == ["hand.thumbsup", "text.bubble"])
        #expect(buttons.map(\.textInput) == [nil, .init(buttonTitle: "Post", placeholder: "Type here…")])
    }
}
