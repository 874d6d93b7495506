import TestSupport
import Testing

@testable import DeviceModel

@Suite struct LocalizationTests {
    static let app = {
        var app = App(bundleID: "com.example.shop")
        app.localizations = [
            "en": ["SHIPPED": "%@ is on its way to %@", "PLAIN": "Plain", "FULL": "100%% of %1$@"],
            "ja": ["SHIPPED": "%2$@へ%1$@を発送しました"],
            "pt-BR": ["PLAIN": "Simples"],
            "zh-Hans": ["PLAIN": "简体"],
            "Base": ["PLAIN": "Base"],
        ]
        return app
    }()

    static let texts: [(String, LocalizedText, String)] = [
        ("en_US", .init(key: "SHIPPED", arguments: ["A lamp", "Kyoto"]), "A lamp is on its way to Kyoto"),
        ("ja_JP", .init(key: "SHIPPED", arguments: ["ランプ", "京都"]), "京都へランプを発送しました"),
        ("ja", .init(key: "SHIPPED", arguments: ["ランプ", "京都"]), "京都へランプを発送しました"),
        ("pt_BR", .init(key: "PLAIN"), "Simples"), ("pt-br", .init(key: "PLAIN"), "Simples"),
        ("pt_PT", .init(key: "PLAIN"), "Base"), ("zh-Hans_CN", .init(key: "PLAIN"), "简体"),
        ("de_DE", .init(key: "PLAIN"), "Base"), ("", .init(key: "PLAIN"), "Base"),
        ("en", .init(key: "FULL", arguments: ["it", "more"]), "100% of it"),
        ("en", .init(key: "SHIPPED", arguments: ["A lamp"]), "A lamp is on its way to "),
        ("en", .init(key: "NOWHERE", arguments: ["A lamp"]), "NOWHERE"),
        ("ja", .init(key: "PLAIN"), "PLAIN"),
    ]

    @Test("C.6 loc-keys are looked up in the device's language", arguments: texts)
    func looksUp(_ locale: String, _ text: LocalizedText, _ expected: String) {
        var content = NotificationContent()
        content.title = "Fallback"
        content.titleLocalization = text
        content.bodyLocalization = text
        let localized = content.localized(app: Self.app, locale: locale)
        #expect(localized.title == (expected == text.key ? "Fallback" : expected))
        #expect(localized.body == expected)
        #expect(localized.subtitle == "")
        #expect(localized.titleLocalization == nil)
        #expect(localized.localized(app: Self.app, locale: locale) == localized)
    }

    static let besides: [(Assumptions.TextBesideKey, key: String, text: String, shown: String)] = [
        (.fallback, "PLAIN", "Beside", "Plain"), (.fallback, "NOWHERE", "Beside", "Beside"),
        (.fallback, "NOWHERE", "", "NOWHERE"), (.always, "PLAIN", "Beside", "Beside"),
        (.always, "PLAIN", "", "Plain"), (.always, "NOWHERE", "", "NOWHERE"),
    ]

    @Test("a text beside its key is shown where the app lacks the key, or always", arguments: besides)
    func showsTextBesideKey(_ rule: Assumptions.TextBesideKey, _ key: String, _ text: String, _ shown: String) {
        var content = NotificationContent()
        (content.title, content.titleLocalization) = (text, LocalizedText(key: key))
        (content.subtitle, content.subtitleLocalization) = (text, LocalizedText(key: key))
        (content.body, content.bodyLocalization) = (text, LocalizedText(key: key))
        let localized = content.localized(app: Self.app, locale: "en", textBesideKey: rule)
        #expect([localized.title, localized.subtitle, localized.body] == [shown, shown, shown])
    }

    @Test("C.6 an app that declares nothing lacks every key, so the text beside the key is shown")
    func showsTextOfUndeclaredApp() {
        var content = NotificationContent()
        (content.title, content.titleLocalization) = ("Beside", LocalizedText(key: "PLAIN"))
        content.bodyLocalization = LocalizedText(key: "PLAIN")
        let localized = content.localized(app: App(bundleID: "a.b"), locale: "en", textBesideKey: .fallback)
        #expect(localized.title == "Beside" && localized.body == "PLAIN")
    }

    @Test func englishIsTheLastResort() {
        var app = App(bundleID: "a.b")
        app.localizations = ["en-GB": ["K": "Colour"], "en": ["K": "Color"]]
        let content = NotificationContent.with { $0.bodyLocalization = LocalizedText(key: "K") }
        #expect(content.localized(app: app, locale: "fr_FR").body == "Color")
        #expect(content.localized(app: app, locale: "en_GB").body == "Colour")
    }

    @Test(arguments: [
        ("%", [], "%"), ("50 % off", [], "50 % off"), ("%d", ["x"], "%d"), ("%0$@", ["x"], "%0$@"),
        ("%%@", ["x"], "%@"),
        ("%1$@%1$@", ["x"], "xx"), ("%2$@", ["x"], ""), ("%9999$@", ["x"], "%9999$@"), ("%@%", ["%@"], "%@%"),
        ("%1$", ["x"], "%1$"), ("", ["x"], ""),
    ]) func fillsPlaceholders(_ format: String, _ arguments: [String], _ expected: String) {
        var app = App(bundleID: "a.b")
        app.localizations = ["en": ["K": format]]
        let content = NotificationContent.with { $0.bodyLocalization = LocalizedText(key: "K", arguments: arguments) }
        #expect(content.localized(app: app, locale: "en").body == expected)
    }

    @Test func saysWhatIsMissing() {
        var content = NotificationContent()
        content.titleLocalization = LocalizedText(key: "NOWHERE")
        content.subtitleLocalization = LocalizedText(key: "PLAIN")
        content.bodyLocalization = LocalizedText(key: "SHIPPED", arguments: ["A lamp"])
        let findings = content.localizationFindings(app: Self.app, locale: "en")
        #expect(
            findings.map { "\($0.id) \($0.severity) \($0.path)" } == [
                "alert.locKey.unknown warning aps.alert.title-loc-key",
                "alert.locArgs.tooFew warning aps.alert.loc-args",
            ])
        let unknown = content.localizationFindings(app: App(bundleID: "a.b"), locale: "en")
        #expect(unknown.map(\.severity) == [.info, .info, .info])
    }
}
