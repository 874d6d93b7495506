import APNs
import DeviceModel
import Lint
import Testing

/// The payloads printed in Apple's session and the article, first as printed and then corrected.
@Suite struct SeedPayloadTests {
    /// As the session prints it, laid out by line; the comma after `alert` is missing.
    static func session(title: String, body: String, level: String, mended: Bool) -> String {
        """
        {
           "aps" : {
              "alert" : {
                 "title" : "\(title)",
                 "body" : "\(body)"
              }\(mended ? "," : "")
              "interruption-level" : "\(level)"
           }
        }
        """
    }

    /// The article's payload: it has an extra comma, an attachment URL that is never fetched, and no `mutable-content`.
    static func article(mended: Bool) -> String {
        """
        {
        "Simulator Target Bundle": "com.demo.SNS-Intent-Demo",
        "aps": {
        "alert": {
        "body": "Hello world! This is a test message.",
        "title": "@Neko"
        }\(mended ? "" : ",")
        },
        "sender_id": "1",
        "sender_name": "NekoNeko",
        "sender_image_url": "hhttps://placekitten.com/200/287",
        "sender_nickname": "@Neko",
        "sender_email": "Neko@Neko.Neko",
        "chat-session_id": "chat-1"
        }
        """
    }

    static let texts = [
        ("S0-21 passive", "Passive", "I’m a passive notification, so I won’t interrupt you.", "passive"),
        ("S0-27 time-sensitive", "Urgent", "Your account requires attention.", "time-sensitive"),
    ]

    private func subject(_ payload: String, app: App? = nil) -> LintSubject {
        var subject = LintSubject(payload: Array(payload.utf8).span.bytes, app: app)
        subject.pushType = .alert
        return subject
    }

    @Test("S0-21 the session's payloads are invalid JSON as printed, and the finding says where", arguments: texts)
    func saysWhereTheSessionsCommaIsMissing(_ name: String, _ title: String, _ body: String, _ level: String) {
        let printed = subject(Self.session(title: title, body: body, level: level, mended: false))
        let findings = Lint.findings(for: printed)
        #expect(findings.map(\.id) == ["payload.json"])
        #expect(
            findings.first?.message
                == "discarded: not valid JSON at line 7, column 7, found `\"interruption-level\"`: "
                + "missing comma before \"interruption-level\"")
        #expect(findings.first?.fix?.contains("interruption-level") == true)
    }

    @Test("S0-20 once corrected, the session's payloads behave as it says", arguments: texts)
    func readsTheSessionsPayloads(_ name: String, _ title: String, _ body: String, _ level: String) {
        let mended = subject(Self.session(title: title, body: body, level: level, mended: true))
        #expect(mended.content.title == title)
        #expect(mended.content.body == body)
        #expect(mended.content.interruptionLevel.rawValue == level)
        #expect(Lint.findings(for: mended) == [])
    }

    @Test("S2-17 the article's payload is invalid JSON as printed, and the finding says where")
    func saysWhereTheArticlesCommaIsTooMany() {
        let findings = Lint.findings(for: subject(Self.article(mended: false)))
        #expect(findings.map(\.id) == ["payload.json"])
        #expect(
            findings.first?.message
                == "discarded: not valid JSON at line 8, column 1, found `}`: "
                + "trailing comma: nothing follows it, so remove it")
    }

    @Test("S2-17 once corrected, the article's payload still runs no extension and loads no picture")
    func readsTheArticlesPayload() {
        var app = App(bundleID: "com.demo.SNS-Intent-Demo", displayName: "Intent Demo")
        app.hasServiceExtension = true
        let mended = subject(Self.article(mended: true), app: app)
        #expect(mended.content.title == "@Neko")
        #expect(mended.content.body == "Hello world! This is a test message.")
        #expect(!mended.content.isMutable)
        #expect(
            Lint.findings(for: mended).map { "\($0.id) \($0.path)" } == [
                "payload.mutableMissing aps.mutable-content", "payload.url.scheme sender_image_url",
                "level.comm.needed sender_email",
            ])
    }
}
