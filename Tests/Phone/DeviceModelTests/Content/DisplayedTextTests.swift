import TestSupport
import Testing

@testable import DeviceModel

@Suite struct DisplayedTextTests {
    struct Fixture: Sendable {
        var content = NotificationContent()
        var app = App(bundleID: "com.example.post", displayName: "Post")
        var device = DeviceConditions()
        var settings = NotificationSettings()
        var level = InterruptionLevel.active
        var heading: CommunicationDisplay?
        var count = 1

        init() {
            (content.title, content.subtitle, content.body) = ("Parcel", "From Kyoto", "It arrives today.")
            content.categoryIdentifier = "SHIP"
            app.categories = [NotificationCategory(identifier: "SHIP")]
        }

        /// The heading of the content's intent.
        var contentHeading: CommunicationDisplay? {
            content.communication.map {
                CommunicationDisplay(
                    of: $0, appName: app.displayName, language: SystemLanguage(locale: device.locale),
                    assumptions: Assumptions())
            }
        }

        var text: DisplayedText {
            DisplayedText(
                content, app: app, device: device, settings: settings, level: level, communication: heading,
                count: count)
        }
    }

    @Test("S0-30 a watch shows the recipients' first names, and a hidden preview no names") func watch() throws {
        var fixture = Fixture()
        var context = CommunicationContext()
        (context.sender, context.recipients) = (.named("Neko Neko"), [.named("Bob Brown")])
        func heading() -> CommunicationDisplay? {
            fixture.content.communication = context
            return fixture.contentHeading
        }
        fixture.heading = heading()
        #expect(fixture.text.subtitle == "To you and Bob Brown")
        #expect(fixture.text.watchSubtitle == "To you and Bob")
        fixture.device.showPreviews = .never
        #expect(fixture.text.watchSubtitle == nil)
        fixture.device.showPreviews = .always
        context.recipients = []
        fixture.heading = heading()
        #expect(fixture.text.watchSubtitle == nil, "no group message")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var lines: [String]
        var isHidden: Bool
        var edit: @Sendable (inout Fixture) -> Void

        init(
            _ name: String, _ lines: [String], hidden: Bool = false, _ edit: @escaping @Sendable (inout Fixture) -> Void
        ) { (testDescription, self.lines, isHidden, self.edit) = (name, lines, hidden, edit) }
    }

    static let plain = ["Parcel", "From Kyoto", "It arrives today."]
    static let rows = [
        Row("shown as it is", plain) { _ in },
        Row("S3-13 without a title the app's name", ["Post", "From Kyoto", "It arrives today."]) {
            $0.content.title = ""
        },
        Row("S3-13 the sender's name in a communication notification", ["Neko", "From Kyoto", "It arrives today."]) {
            $0.heading = .init(title: "Neko")
        },
        Row("S0-30 the recipients of a group message", ["Neko", "To you and Inu", "It arrives today."]) {
            $0.heading = .init(title: "Neko", subtitle: "To you and Inu")
        },
        Row("S3-19 hidden: the system's word", ["Post", "", "Notification"], hidden: true) { _ in },
        Row("S3-19 hidden in Japanese: 通知", ["Post", "", "通知"], hidden: true) { $0.device.locale = "ja_JP" },
        Row("hidden until authenticated, locked", ["Post", "", "Notification"], hidden: true) {
            $0.device.showPreviews = .whenAuthenticated
        },
        Row("hidden until authenticated, unlocked", plain) {
            $0.device.showPreviews = .whenAuthenticated
            $0.device.isLocked = false
        },
        Row("S3-1 the app's setting goes before the device's", plain) {
            $0.device.showPreviews = .never
            $0.settings.showPreviews = .always
        },
        Row("the app's setting hides", ["Post", "", "Notification"], hidden: true) {
            $0.device.showPreviews = .always
            $0.settings.showPreviews = .never
        },
        Row("S3-20 the category's placeholder", ["Post", "", "Shipment"], hidden: true) {
            $0.app.categories[0].hiddenPreviewsBodyPlaceholder = "Shipment"
        },
        Row("the placeholder counts the group", ["Post", "", "3 shipments of 3"], hidden: true) {
            $0.app.categories[0].hiddenPreviewsBodyPlaceholder = "%u shipments of %u"
            $0.count = 3
        },
        Row("hiddenPreviewsShowTitle", ["Parcel", "", "Notification"], hidden: true) {
            $0.app.categories[0].options = [.hiddenPreviewsShowTitle]
        },
        Row("hiddenPreviewsShowSubtitle", ["Post", "From Kyoto", "Notification"], hidden: true) {
            $0.app.categories[0].options = [.hiddenPreviewsShowSubtitle]
        },
        Row("a hidden sender", ["Post", "", "Notification"], hidden: true) {
            $0.heading = .init(title: "Neko", subtitle: "To you and Inu")
        },
        Row("a hidden message whose sender is shown", ["Neko", "", "Notification"], hidden: true) {
            $0.heading = .init(title: "Neko")
            $0.app.categories[0].options = [.hiddenPreviewsShowTitle]
        },
        Row("another category's placeholder does not count", ["Post", "", "Notification"], hidden: true) {
            $0.app.categories[0].hiddenPreviewsBodyPlaceholder = "Shipment"
            $0.content.categoryIdentifier = "OTHER"
        },
        Row("localized", ["Paket", "From Kyoto", "It arrives today."]) {
            $0.content.titleLocalization = LocalizedText(key: "PARCEL")
            $0.app.localizations = ["de": ["PARCEL": "Paket"]]
            $0.device.locale = "de_DE"
        },
    ]

    @Test("S3-22 B.7 the sender's picture is hidden with the title", arguments: [false, true], [false, true])
    func showsTheAvatar(isHidden: Bool, showsTitle: Bool) {
        var fixture = Fixture()
        fixture.heading = .init(title: "Neko", avatar: .image(digest: "00"))
        if isHidden { fixture.device.showPreviews = .never }
        if showsTitle { fixture.app.categories[0].options = [.hiddenPreviewsShowTitle] }
        let text = fixture.text
        #expect(text.avatar == (isHidden && !showsTitle ? nil : .image(digest: "00")))
        #expect(text.title == (isHidden && !showsTitle ? "Post" : "Neko"))
        #expect(text.isCommunication)
        fixture.heading = nil
        #expect(fixture.text.avatar == nil && !fixture.text.isCommunication)
    }

    @Test("S0-30 content updated from an intent has the sender as its heading") func heading() throws {
        var fixture = Fixture()
        func heading() -> CommunicationDisplay? { fixture.contentHeading }
        #expect(heading() == nil)
        var context = CommunicationContext.with { $0.sender = .named("Neko Neko") }
        fixture.content.communication = context
        #expect(heading() == .init(title: "Neko Neko", avatar: .monogram("NN")))
        fixture.heading = heading()
        #expect([fixture.text.title, fixture.text.subtitle] == ["Neko Neko", "From Kyoto"])
        context.recipients = [.named("Inu")]
        fixture.content.communication = context
        fixture.heading = heading()
        #expect([fixture.text.title, fixture.text.subtitle] == ["Neko Neko", "To you and Inu"])
        context.sender = Person()
        context.recipients = []
        fixture.content.communication = context
        fixture.heading = heading()
        #expect(fixture.text.title == "Parcel", "nobody is named, so the content's own title stays")
    }

    @Test("B.7 the displayed texts", arguments: rows) func shows(_ row: Row) {
        var fixture = Fixture()
        if row.isHidden { fixture.device.showPreviews = .never }
        row.edit(&fixture)
        let text = fixture.text
        #expect([text.title, text.subtitle, text.body] == row.lines)
        #expect(text.isHidden == row.isHidden)
        #expect(text.appName == "Post")
    }

    @Test(
        "S0-28 a Time Sensitive notification is labelled",
        arguments: [
            (InterruptionLevel.timeSensitive, "en_US", "Time Sensitive"), (.timeSensitive, "ja_JP", "即時通知"),
            (.active, "en_US", nil), (.passive, "en_US", nil), (.critical, "en_US", nil),
        ] as [(InterruptionLevel, String, String?)])
    func isLabelled(_ level: InterruptionLevel, _ locale: String, _ label: String?) {
        var fixture = Fixture()
        fixture.level = level
        fixture.device.locale = locale
        #expect(fixture.text.label == label)
    }
}
