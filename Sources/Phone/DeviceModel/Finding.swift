/// A hint about a push for the person who reads the results; it changes no outcome.
package struct Finding: Sendable, Hashable, Codable {
    package enum Severity: String, CaseIterable, Codable, Sendable {
        case info
        /// Probably not what the sender meant.
        case warning
        /// Something was ignored or discarded.
        case error
    }

    /// Stable, such as `badge.type`.
    package var id: String
    package var severity: Severity
    package var message: String
    /// Such as `aps.alert.title`; empty for the payload as a whole.
    package var path: String
    package var source: String?
    /// A correct example.
    package var fix: String?

    package init(
        _ id: String, _ severity: Severity, at path: String, _ message: String, source: String? = nil,
        fix: String? = nil
    ) {
        self.id = id
        self.severity = severity
        self.path = path
        self.message = message
        self.source = source
        self.fix = fix
    }
}

/// A payload or an answer may have any number of mistakes.
extension Finding {
    /// The unknown names of one payload or answer that are compared with the known ones.
    static let adviceLimit = 20
    /// Of one payload, answer or rule.
    package static let listLimit = 50

    package static func others(_ count: Int) -> Finding {
        Finding(
            "findings.more", .info, at: "", "\(count) more findings of the same kind are not listed",
            fix: "correct those that are listed first")
    }
}

extension [Finding] {
    /// The first, and one that counts the others.
    package var bounded: [Finding] {
        let others = count - Finding.listLimit
        return others > 0 ? prefix(Finding.listLimit) + [.others(others)] : self
    }
}

/// The parts that all findings of a rule share.
package struct FindingRule: Sendable {
    package var id: String
    /// A finding may override it.
    package var severity: Finding.Severity
    /// Requirement ids (`S3-14`) or a section of the facts (`C.6`).
    package var source: String
    /// A finding adds its detail.
    package var sentence: String
    /// A finding may override it.
    package var fix: String

    package init(_ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String) {
        self.id = id
        self.severity = severity
        self.source = source
        self.sentence = sentence
        self.fix = fix
    }

    /// - Parameters:
    ///   - severity: nil for the rule's own.
    ///   - fix: nil for the rule's own.
    package func finding(
        at path: String, _ detail: String = "", severity: Finding.Severity? = nil, fix: String? = nil
    ) -> Finding {
        Finding(
            id, severity ?? self.severity, at: path, detail.isEmpty ? sentence : "\(sentence): \(detail)",
            source: source, fix: fix ?? self.fix)
    }

    /// Reported about a service extension's answer.
    package static let answers = [
        FindingRule(
            "nse.answer.unknownMember", .warning, "C.4", "ignored: a notification's content has no such member",
            fix: #"{"content": {"title": "Neko"}}"#),
        FindingRule(
            "nse.answer.fixedMember", .info, "C.4", "ignored: a service extension cannot change it",
            fix: "omit the member"),
        FindingRule(
            "nse.answer.wrongOption", .warning, "C.7", "ignored: the attachment's option cannot be read",
            fix: #""options": {"thumbnailHidden": true, "thumbnailTime": 1.5}"#),
        FindingRule(
            "nse.handler.dropsAlert", .warning, "C.3",
            "the extension returned content without title, subtitle and body; the original content is used",
            fix: "keep a text in the content, or send apns-push-type: alert to an app with the entitlement "
                + Entitlement.filtering.rawValue),
        FindingRule(
            "comm.intent.unsupported", .error, "WWDC21 10091 (S0-34); E.1",
            "ignored: only INSendMessageIntent, INStartCallIntent and UNNotificationAttributedMessageContext"
                + " can give a notification its content (UNError 1500)",
            fix: "content = try content.updating(from: INSendMessageIntent(…))"),
        FindingRule(
            "comm.intent.incomplete", .error, "WWDC21 10091 (S0-40); E.1",
            "ignored: there is no sender or caller to show (UNError 1501)",
            fix: "INSendMessageIntent(…, sender: INPerson(…), …), or `lenientIntents: true` to accept it"),
        FindingRule(
            "comm.notDonated", .error, "WWDC21 10091 (S0-36); E.1",
            "ignored: no interaction of the conversation was donated before, and `strictDonation` is on",
            fix: "try await interaction.donate(), then content.updating(from: intent)"),
        FindingRule(
            "comm.image.unavailable", .warning, "E.2", "a picture could not be loaded; the monogram is shown instead",
            fix: "INImage(imageData: bytes)"),
        FindingRule(
            "attachment.dropped", .error, "doc: UNNotificationAttachment (C.7)",
            "delivered without an invalid attachment",
            fix: "a JPEG, GIF or PNG of at most 10 MB, in a file with the extension of its type"),
    ]

    /// Reported when an app schedules a local notification.
    package static let local = [
        FindingRule(
            "local.limit64", .warning, "N15", "dropped without an error: more than 64 requests of the app are pending",
            fix: "schedule the next few, and more when the app runs again"),
        FindingRule(
            "local.repeat60", .error, "N1", "a repeating interval must be at least 60 seconds; iOS raises an exception",
            fix: #"{"type": "timeInterval", "timeInterval": 60, "repeats": true}"#),
        FindingRule(
            "local.neverFires", .error, "N5", "never fires: no date in the future matches",
            fix: #"{"type": "calendar", "dateComponents": {"hour": 9}}"#),
        FindingRule(
            "local.quarter0", .warning, "N9", "never fires: the components have quarter 0, as those of a whole date do",
            fix: "omit quarter, or ask the calendar only for the components that must match"),
    ]

    private static let document = "doc: Generating a remote notification"

    /// Reported by the payload's decoder.
    package static let decoding = [
        FindingRule(
            "payload.json", .error, "WWDC21 10091 (S0-21); mszpro.com (S2-17)",
            "discarded: the payload is not valid JSON",
            fix: #"{"aps": {"alert": {"title": "Passive", "body": "…"}, "interruption-level": "passive"}}"#),
        FindingRule("payload.type", .error, document, "a value is of the wrong type", fix: #""mutable-content": 1"#),
        FindingRule(
            "payload.key.misspelt", .error, document, "ignored: a key in another spelling",
            fix: #"{"aps": {"content-available": 1, "thread-id": "chat-1"}}"#),
        FindingRule(
            "payload.key.misplaced", .warning, document, "a key in the wrong dictionary, or a header in the payload",
            fix: #"{"aps": {"alert": {…}, "sound": "default", "mutable-content": 1}}, apns-priority: 5"#),
        FindingRule(
            "payload.aps.missing", .warning, document, "the payload has no `aps` dictionary",
            fix: #"{"aps": {"alert": "Hi"}}"#),
        FindingRule(
            "payload.aps.type", .error, document, "discarded: `aps` must be a dictionary", fix: #"{"aps": {…}}"#),
        FindingRule(
            "payload.interruption-level.unknown", .warning, "S0-20, X3", "unknown level; treated as active",
            fix: #""interruption-level": "time-sensitive""#),
        FindingRule(
            "relevance.range", .warning, document, "`relevance-score` is 0…1", fix: #""relevance-score": 0.75"#),
        FindingRule("badge.type", .error, document, "`badge` must be a whole number, 0 or more", fix: #""badge": 3"#),
        FindingRule(
            "sound.critical.noDict", .warning, document, "Apple documents a `sound` dictionary for critical alerts",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 1.0}"#),
        FindingRule(
            "volume.range", .warning, document, "`volume` is 0…1",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 0.5}"#),
        FindingRule(
            "volume.ordinary", .warning, "home-assistant/iOS #5293", "`volume` works only with `critical: 1`",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 0.5}"#),
        FindingRule("aps.unknownKey", .warning, document, "unknown key in `aps`", fix: #"{"aps": {…}, "order": "17"}"#),
        FindingRule("summary-arg.ignored", .info, document, "ignored since iOS 15", fix: "omit the key"),
        FindingRule(
            "alert.unknownKey", .warning, document, "unknown key in `alert`",
            fix: #"{"aps": {"alert": {…}}, "order": "17"}"#),
        FindingRule(
            "sound.unknownKey", .warning, document, "unknown key in `sound`",
            fix: #""sound": {"critical": 1, "name": "default", "volume": 0.5}"#),
        FindingRule("alert.ignoredKey", .info, document, "no longer has any effect", fix: "omit the key"),
        FindingRule(
            "alert.liveActivityForm", .info, document, "only a Live Activity's alert has a dictionary here",
            fix: #""title-loc-key": "SHIPPED", "title-loc-args": ["17"]"#),
        FindingRule(
            "alert.locKey.unknown", .warning, document,
            "the app has no text for the key; the text beside it is shown, or the key itself",
            fix: #"localizations: {en: {SHIPPED: "%@ is on its way"}}"#),
        FindingRule(
            "alert.locArgs.tooFew", .warning, document, "the text has more placeholders than arguments",
            fix: #""loc-key": "SHIPPED", "loc-args": ["The lamp"]"#),
        FindingRule(
            "alert.locFormat", .warning, "nativescript-localize #20", "arguments are objects: only `%@` shows them",
            fix: #"localizations: {en: {SHIPPED: "%@ is on its way"}}"#),
    ]

    private static let byID = Dictionary(uniqueKeysWithValues: (answers + decoding).map { ($0.id, $0) })

    static func named(_ id: String) -> FindingRule {
        guard let rule = byID[id] else { preconditionFailure("there is no rule \(id)") }
        return rule
    }
}
