/// What is common to the findings of one rule.
package struct FindingRule: Sendable {
    /// The stable name, such as `title.generic`; findings carry it, and it silences them.
    package var id: String
    /// How much its findings matter, unless a finding says otherwise.
    package var severity: Finding.Severity
    /// Where the rule comes from: requirement ids (`S3-14`), or a section of the facts (`C.6`).
    package var source: String
    /// The message; a finding adds what it is about.
    package var sentence: String
    /// How it looks when it is right, by example.
    package var fix: String

    package init(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String
    ) {
        self.id = id
        self.severity = severity
        self.source = source
        self.sentence = sentence
        self.fix = fix
    }

    /// - Parameters:
    ///   - detail: What is there; empty when the sentence says it all.
    ///   - severity: nil is the rule's own.
    package func finding(at path: String, _ detail: String = "", severity: Finding.Severity? = nil) -> Finding {
        Finding(
            id, severity ?? self.severity, at: path, detail.isEmpty ? sentence : "\(sentence): \(detail)",
            source: source,
            fix: fix)
    }
}

/// Rules about what service extensions answer.
extension FindingRule {
    package static let answers = [
        FindingRule(
            "nse.answer.unknownMember", .warning, "C.4", "ignored: a notification's content has no such member",
            fix: #"{"content": {"title": "Neko"}}"#),
        FindingRule(
            "nse.answer.fixedMember", .info, "C.4", "ignored: a service extension cannot change it",
            fix: "leave the member out"),
        FindingRule(
            "nse.handler.dropsAlert", .warning, "C.3",
            "the extension handed over a content without title, subtitle and body; the original content is shown",
            fix: "leave a text in the content, or send apns-push-type: alert to an app with the entitlement "
                + Entitlement.filtering.rawValue),
        FindingRule(
            "comm.intent.unsupported", .error, "WWDC21 10091 (S0-34); E.1",
            "ignored: only INSendMessageIntent, INStartCallIntent and UNNotificationAttributedMessageContext"
                + " can give a notification its content (UNError 1500)",
            fix: "content = try content.updating(from: INSendMessageIntent(…))"),
        FindingRule(
            "comm.intent.incomplete", .error, "WWDC21 10091 (S0-40); E.1",
            "ignored: without the person who wrote or calls there is nobody to show (UNError 1501)",
            fix: "INSendMessageIntent(…, sender: INPerson(…), …), or `lenientIntents: true` to let it pass"),
        FindingRule(
            "comm.notDonated", .error, "WWDC21 10091 (S0-36); E.1",
            "ignored: no interaction of the conversation was donated before, and `strictDonation` is on",
            fix: "try await interaction.donate(), then content.updating(from: intent)"),
        FindingRule(
            "comm.image.unavailable", .warning, "E.2",
            "a picture could not be loaded, so the monogram stands in for it",
            fix: "INImage(imageData: bytes)"),
        FindingRule(
            "attachment.dropped", .error, "doc: UNNotificationAttachment (C.7)",
            "delivered without an attachment that is not valid",
            fix: "a JPEG, GIF or PNG of at most 10 MB, in a file with the extension of its type"),
    ]

    private static let answersByID = Dictionary(uniqueKeysWithValues: answers.map { ($0.id, $0) })

    static func answer(_ id: String) -> FindingRule? { answersByID[id] }
}
