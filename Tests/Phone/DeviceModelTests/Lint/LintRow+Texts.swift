import DeviceModel
import Time

@testable import Lint

extension LintRow {
    static let titles: [LintRow] = [
        .found("title.missing.comm", "S3-13 no title", at: "aps.alert.title", #"{"aps":{"alert":"It is here."}}"#),
        .passed("title.missing.comm", "S3-13 a title", alert()),
        .passed("title.missing.comm", "S3-13 a sender is the title", #"{"aps":{"alert":"Hi."}}"#) {
            $0.isCommunication = true
        },
        .passed("title.missing.comm", "a title to look up", #"{"aps":{"alert":{"title-loc-key":"X","body":"B."}}}"#),
        .passed("title.missing.comm", "nothing to show", #"{"aps":{"content-available":1}}"#),
        .found("title.generic", "S3-14 New Document", at: "aps.alert.title", title("New Document")),
        .found("title.generic", "S3-14 with marks and in capitals", at: "aps.alert.title", title(" UPDATE! ")),
        .found("title.generic", "S3-14 お知らせ", at: "aps.alert.title", title("お知らせ")),
        .passed("title.generic", "S3-14 a headline", title("New Document: Minutes of March")),
        .found("title.long", "S3-14 41 characters", at: "aps.alert.title", title(String(repeating: "a", count: 41))),
        .passed("title.long", "S3-14 40 characters", title(String(repeating: "a", count: 40))),
        .found(
            "title.long", "S3-14 21 wide characters", at: "aps.alert.title", title(String(repeating: "通", count: 21))),
        .passed("title.long", "S3-14 20 wide characters", title(String(repeating: "通", count: 20))),
        .found("title.endPunctuation", "HIG: a full stop", at: "aps.alert.title", title("Order shipped.")),
        .found("title.endPunctuation", "HIG: 。", at: "aps.alert.title", title("発送しました。")),
        .passed("title.endPunctuation", "HIG: a question", title("Still Hungry?")),
        .passed("title.endPunctuation", "that is text.truncated", title("Order shipped...")),
    ]

    static let texts: [LintRow] = [
        .found("text.appName", "S3-21 in the title", at: "aps.alert.title", title("Post Haste: Order Shipped")),
        .found("text.appName", "S3-21 in the body", at: "aps.alert.body", body("Thank you for using Post Haste.")),
        .passed("text.appName", "S3-21 within other words", title("Post Hasteful Orders")),
        .passed("text.appName", "a name made from the identifier", title("Track your post")) {
            $0.app = App(bundleID: "com.example.post")
        },
        .found("text.truncated", "S3-15 …", at: "aps.alert.body", body("The courier is two…")),
        .found("text.truncated", "S3-15 ... in a title", at: "aps.alert.title", title("The courier is...")),
        .found(
            "text.truncated", "S3-15 179 characters", at: "aps.alert.body",
            body(String(repeating: "a", count: 178) + ".")),
        .passed("text.truncated", "S3-15 178 characters", body(String(repeating: "a", count: 177) + ".")),
        .found("body.noPunctuation", "S3-15 no full stop", at: "aps.alert.body", body("Your order is on its way")),
        .found(
            "body.noPunctuation", "the string form", at: "aps.alert", #"{"aps":{"alert":"Your lamp is on its way"}}"#),
        .passed("body.noPunctuation", "one short clause, as in Apple's example", body("Bob wants to play poker")),
        .passed("body.noPunctuation", "a label", body("Order 7")),
        .passed("body.noPunctuation", "発送完了", body("発送完了のお知らせ")),
        .found("body.noPunctuation", "two sentences", at: "aps.alert.body", body("It came. Sign here")),
        .found("body.noPunctuation", "a long one without spaces", at: "aps.alert.body", body("ご注文の商品を本日発送いたしました")),
        .passed("body.noPunctuation", "S3-15 an emoji behind the full stop", body("Your order is on its way! 🚚 ")),
        .passed("body.noPunctuation", "S3-15 a closing quote", body("She said: “Come.”")),
        .passed("body.noPunctuation", "S3-15 。", body("発送しました。")),
        .passed("body.noPunctuation", "what people write", body("on my way")) { $0.isCommunication = true },
        .found("body.notSentence", "S3-15 capitals", at: "aps.alert.body", body("YOUR ORDER IS ON ITS way.")),
        .passed("body.notSentence", "S3-15 an abbreviation", body("NASA.")),
        .passed("body.notSentence", "S3-15 a sentence", body("NASA and ESA have landed.")),
        .found("body.instructs", "S3-16 open the app", at: "aps.alert.body", body("Open the app to see more.")),
        .found("body.instructs", "S3-16 tap a button", at: "aps.alert.body", body("Tap the blue button.")),
        .found("body.instructs", "S3-16 go to", at: "aps.alert.body", body("Go to Settings.")),
        .found("body.instructs", "S3-16 アプリを開いて", at: "aps.alert.body", body("アプリを開いてください。")),
        .passed("body.instructs", "S3-16 a tap that is none", body("The tapestry has a button and a cargo to sell.")),
    ]

    static let contents: [LintRow] =
        [
            ("a card", "Charged to 4111 1111 1111 1111.", Finding.Severity.error),
            ("an IBAN", "Paid to DE89 3704 0044 0532 0130 00 today.", .error),
            ("a social security number", "SSN 078-05-1120.", .error),
            ("My Number", "1234 5678 9018 です。", .error), ("a password", "Your password is hunter2.", .error),
            ("パスワード", "パスワードは hunter2 です。", .error), ("a one-time code", "123456 is your verification code.", .error),
            ("a code after its name", "Your security code is: 482910.", .error),
            ("a code for a service", "Your verification code for Neko is 4829.", .error),
            ("a code with a name", "482910 is your Neko login code.", .error),
            ("認証コード", "認証コード：482910", .error), ("a passcode", "The passcode is 482910.", .error),
            ("a diagnosis", "You were diagnosed.", .error),
            ("an e-mail address", "Mail from neko@example.com.", .warning),
            ("a phone number", "Call +81 90-1234-5678.", .warning),
            ("a domestic number", "Call 090-1234-5678.", .warning),
        ].map { name, text, severity in
            .found("content.sensitive", "S3-17 \(name)", at: "aps.alert.body", severity: severity, body(text))
        }
        + [
            "Order 4111 1111 1111 1112 shipped.", "Flight LH 2222 to DE leaves at 10-20.", "@Neko likes this.",
            "Your account requires attention.", "In 2026 we sold 123456 lamps.", "Use code SAVE2024 for your code.",
            "Your code review is ready: 2500 lines.", "Your one-time offer ends in 2027.",
            "Get your access code to the 2026 conference.", "Your one-time payment of 1200 yen arrived.",
            "Security code check passed in 1500 ms.", "Your verification code is 2026.", "Your password was changed.",
            "Your password is 90 days old.", "Your access code is valid for 1500 seconds.",
            "Paid to DE89 3704 0044 0532 0130 01 today.", "Passwords2Go opens.", "1234 5678 9012 です。", "078-051120.",
        ].map { .passed("content.sensitive", "S3-17 \($0)", body($0)) } + [
            .found("content.duplicate", "S3-18 the second of a text", at: "aps.alert", severity: .warning, alert()) {
                $0.history = .repeated("a")
            },
            .found("content.duplicate", "S3-18 the third of a text", at: "aps.alert", severity: .warning, alert()) {
                $0.history = .repeated("a", "b")
            },
            .passed("content.duplicate", "S3-18 the same identifier replaces", alert()) {
                $0.history = .repeated("this")
            },
            .passed("content.duplicate", "S3-18 another text", alert("Order Lost")) { $0.history = .repeated("a") },
            .passed("content.duplicate", "I.3 gone, and a day ago", alert()) {
                $0.history = .repeated("a") { $0.at = Instant(milliseconds: now.milliseconds - 86_400_001) }
            },
            .found("content.duplicate", "I.3 a day ago", at: "aps.alert", alert()) {
                $0.history = .repeated("a") { $0.at = Instant(milliseconds: now.milliseconds - 86_400_000) }
            },
            .found("content.duplicate", "I.3 long ago but still there", at: "aps.alert", alert()) {
                $0.history = .repeated("a") { ($0.at, $0.isListed) = (Instant(milliseconds: 0), true) }
            },
        ]
}
