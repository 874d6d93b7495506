import TestSupport
import Testing

@testable import DeviceModel

@Suite struct FocusFilterTests {
    @Test(
        "F2 a Focus filter silences what its app's criteria do not match",
        arguments: [
            ("personal", "com.example.mail", true), ("home", "com.example.mail", true),
            ("work", "com.example.mail", false),
            ("", "com.example.mail", false), (nil, "com.example.mail", true), ("work", "com.example.chat", true),
            ("work", "com.example.calendar", false),
        ] as [(String?, String, Bool)])
    func filters(criteria: String?, app: String, isAllowed: Bool) {
        var focus = Focus()
        focus.filters = [
            filter("com.example.mail", ["personal"]), filter("com.example.calendar", []),
            filter("com.example.mail", ["home"]),
        ]
        focus.id = "work"
        let device = DeviceConditions.with { ($0.focus.modes, $0.focus.active) = ([focus], "work") }
        let context = PolicyContext(
            device: device, app: App(bundleID: app), settings: NotificationSettings(), assumptions: Assumptions())
        #expect(context.filtersOut(criteria) != isAllowed)
    }

    @Test(
        "S0-13 people and apps are allowed by name, or silenced by name",
        arguments: [
            (Focus.Selection.Mode.allow, "contact:C1", true), (.allow, "contact:C2", false),
            (.silence, "contact:C1", false),
            (.silence, "contact:C2", true),
        ])
    func selection(mode: Focus.Selection.Mode, id: String, isAllowed: Bool) {
        var selection = Focus.Selection()
        (selection.mode, selection.ids) = (mode, ["contact:C1"])
        #expect(selection.allows(id) == isAllowed)
    }

    private func filter(_ app: String, _ criteria: [String]) -> FocusFilter {
        .with { ($0.bundleID, $0.allowedCriteria) = (app, criteria) }
    }
}
