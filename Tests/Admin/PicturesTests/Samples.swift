import DeviceModel
import Foundation
import Pictures
import TestSupport
import Testing
import Time

/// Screens with difficult content, each with a golden file.
enum Samples {
    static let folder = Golden.folder("Admin/PicturesTests")
    static let now = Instant(text: "2026-11-22T09:41:00Z")!

    static func card(
        _ app: String, _ name: String, _ title: String, _ body: String = "", minutesAgo: Int64 = 0,
        _ change: (inout PictureScene.Card) -> Void = { _ in }
    ) -> PictureScene.Card {
        var card = PictureScene.Card(
            app: "com.example.\(app)", appName: name, at: now.advanced(by: -60_000 * minutesAgo), title: title)
        card.body = body
        change(&card)
        return card
    }

    static let bank = card("bank", "Cote Bank", "New sign-in") { card in
        card.label = "Time Sensitive"
        card.subtitle = "Firefox on Linux"
        card.body = "Was this you? Someone signed in from Potsdam at 09:41."
        card.badge = 12
    }

    static let mia = card(
        "chat", "Chatter", "Mia Chen",
        "Dinner at eight? I found that place by the canal again, the one with the lanterns, and they have a table "
            + "outside. Tell me before six so that I can book it, or we go to the noodle bar as always.", minutesAgo: 1
    ) { card in
        card.avatar = .monogram("MC")
        let lake = try? Data(contentsOf: folder.appending(path: "lake.png"))
        card.thumbnail = lake.flatMap { PictureImage(Array($0)) }.map { .image($0) }
        card.buttons = [
            .init(title: "Reply", placeholder: "Message"), .init(title: "Mute for 1 hour"),
            .init(title: "Block", isRed: true),
        ]
    }

    static let hidden = card("mail", "Mail", "Mail", "Notification", minutesAgo: 29) { card in
        card.isHidden = true
        card.thumbnail = .unknown
    }

    static let texts = [
        card("chat", "Chatter", "דנה לוי", "הפגישה נדחתה לשעה 10:30 מחר. תביאי את המסמכים, בבקשה!"),
        card("souk", "سوق", "طلبك في الطريق", "سيصل المندوب خلال 12 دقيقة تقريبًا. رقم الطلب A-4711 (مدفوع)."),
        card("recipes", "会議", "山田 花子", "明日の会議は十時からに変わりました。「資料」は今夜中に送りますので、Slackで確認をお願いします。よろしく。") {
            $0.subtitle = "営業部"
        },
        card(
            "chat", "Chatter", "Family 👨‍👩‍👧‍👦",
            "🎉🎉 Happy birthday, Zoë! 🇫🇷 Ça va être génial… Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen 🥳"),
        card("ab", "A&B", "<script>alert(1)</script> & \"quotes\"", "line one\nline two ]]> &amp; \u{7} done."),
    ]

    static func screen(
        locale: String = "en_AU", _ stacks: [PictureScene.Stack] = [], _ change: (inout PictureScene) -> Void = { _ in }
    ) -> PictureScene {
        var screen = PictureScene(at: now, locale: locale)
        screen.lockScreen = stacks
        screen.notificationCenter = stacks
        screen.subject = stacks.first?.top
        change(&screen)
        return screen
    }

    static func morning(summary: Bool) -> PictureScene {
        screen([.init(bank), .init(mia, count: 3, text: "2 more messages"), .init(hidden)]) { screen in
            screen.focus = "Work"
            guard summary else { return }
            screen.summary = (
                count: 4,
                featured: [
                    card("news", "Daily", "Evening edition", "What the council decided about the bridge"),
                    card("oven", "Pots", "New recipes", "Five soups for a cold week"),
                ]
            )
        }
    }

    struct Sample: CustomTestStringConvertible {
        var name: String
        var screen: PictureScene
        var form: PhonePicture.Form
        var appearance = Appearance.light

        var testDescription: String { name }
        var svg: String { PhonePicture(screen, form: form, appearance: appearance).svg }
    }

    static let all: [Sample] =
        [Appearance.light, .dark].flatMap { appearance in
            [
                Sample(name: "lockscreen", screen: morning(summary: true), form: .lockScreen),
                Sample(name: "center", screen: morning(summary: false), form: .notificationCenter),
                Sample(name: "texts", screen: screen(texts.map { .init($0) }), form: .lockScreen),
                Sample(name: "banner", screen: screen { $0.banner = bank }, form: .banner),
                Sample(name: "expanded", screen: screen([.init(mia)]), form: .expanded),
            ].map { sample in
                var sample = sample
                sample.name += "-\(appearance)"
                sample.appearance = appearance
                return sample
            }
        } + [
            Sample(name: "lockscreen-auto", screen: morning(summary: true), form: .lockScreen, appearance: .auto),
            Sample(name: "rtl", screen: screen(locale: "ar", [.init(texts[1]), .init(mia)]), form: .lockScreen),
            Sample(
                name: "japanese", screen: screen(locale: "ja_JP", [.init(texts[2], count: 2, text: "ほか1件の通知")]),
                form: .notificationCenter),
            Sample(
                name: "many",
                screen: screen((0..<200).map { _ in .init(bank, count: 3, text: "2 more notifications") }),
                form: .notificationCenter),
            Sample(name: "empty", screen: screen(), form: .notificationCenter),
            Sample(name: "empty-lockscreen", screen: screen { $0.focus = "Sleep" }, form: .lockScreen),
            Sample(name: "banner-none", screen: screen(), form: .banner, appearance: .dark),
            Sample(name: "off", screen: screen([.init(bank)]) { $0.isPoweredOn = false }, form: .lockScreen),
            Sample(name: "dark-glass", screen: screen([.init(bank)]) { $0.isScreenOn = false }, form: .lockScreen),
            Sample(name: "expanded-unknown", screen: screen([.init(unknownFile)]), form: .expanded),
            Sample(name: "thumbnail-unknown", screen: screen([.init(unknownFile)]), form: .lockScreen),
            Sample(name: "prompt", screen: screen([.init(bank)]) { $0.prompt = question }, form: .lockScreen),
            Sample(
                name: "prompt-dark", screen: screen([.init(bank)]) { $0.prompt = question }, form: .notificationCenter,
                appearance: .dark),
            Sample(
                name: "activities", screen: screen([.init(bank)]) { $0.activities = [parcel, match] }, form: .lockScreen
            ),
            Sample(name: "watch", screen: screen([.init(mia)]), form: .watch),
            Sample(name: "carplay", screen: screen([.init(mia)]), form: .carPlay),
            Sample(name: "icon", screen: screen([.init(bank)]), form: .homeIcon),
        ]

    static let question: PictureScene.Prompt = (
        text: "“Cote Bank” alerts you with Time Sensitive notifications at once. Leave them on?",
        choices: ["Leave on", "Turn off"]
    )

    static let parcel = activity(
        "bike", "Courier", "Your parcel is near", ["Arrives 14:05", "3 stops left", "Driver Sam"])

    static let match = activity("ball", "Scores", "Cotes – Lofts", ["2 : 1, second half"])

    private static func activity(_ app: String, _ name: String, _ title: String, _ lines: [String]) -> ActivityCard {
        ActivityCard(app: "com.example.\(app)", appName: name, title: title, lines: lines)
    }

    private static let unknownFile = card("news", "Daily", "A film", "Three minutes of fog.") {
        $0.thumbnail = .unknown
    }
}

extension NotificationAction {
    init(title: String, isRed: Bool = false, placeholder: String? = nil) {
        self.init()
        (self.title, options) = (title, isRed ? [.destructive] : [])
        guard let placeholder else { return }
        textInput = TextInput()
        textInput?.placeholder = placeholder
    }
}
