internal import DeviceModel
internal import Time

/// Rules about titles and bodies whose texts the developer writes.
extension LintRule {
    static let titles = [
        LintRule(
            "title.missing.comm", .info, "HIG Notifications (S3-13)", "without a title the app's name is shown instead",
            fix: #""alert": {"title": "Table for two", "body": "Tonight at 19:00."}"#
        ) { facts in
            let isMissing = facts.content.title.isEmpty && facts.content.titleLocalization == nil
            return hit(facts.title.path, if: facts.isAlert && !facts.subject.isCommunication && isMissing)
        },
        LintRule(
            "title.generic", .warning, "HIG Notifications (S3-14)", "a generic title is worse than none",
            fix: #""title": "Minutes of the Monday Meeting" instead of "New Document""#
        ) { facts in
            written(facts.title, facts) {
                genericTitles.contains($0.folded.trimming { $0.isWhitespace || $0.isPunctuation }) ? "" : nil
            }
        },
        LintRule(
            "title.long", .warning, "HIG Notifications (S3-14)",
            "a title of more than 40 characters, or 20 wide ones, is truncated", fix: #""title": "Order Shipped""#
        ) { facts in
            written(facts.title, facts) { $0.text.displayWidth > 40 ? "\($0.text.count) characters" : nil }
        },
        LintRule(
            "title.endPunctuation", .info, "HIG Notifications", "a title should not end with punctuation",
            fix: #""title": "Order Shipped""#
        ) { facts in
            written(facts.title, facts) { title in
                let isEnded = title.text.last.map { ".!。！．".contains($0) } ?? false
                return isEnded && !title.text.isCutOff ? "" : nil
            }
        },
    ]

    static let texts = [
        LintRule(
            "text.appName", .warning, "HIG Notifications (S3-21, S3-27)",
            "the app's name is already shown next to its icon",
            fix: #""title": "Order Shipped" instead of "Shop: Order Shipped""#, needs: [.app],
            push: { facts in
                guard let app = facts.app else { return [] }
                return facts.writtenTexts.filter { $0.text.names(app) }
                    .map { Hit(path: $0.path, detail: "\"\(app.displayName)\"") }
            },
            category: { category, app in
                category.actions.filter { $0.title.names(app) }.map { category.hit($0, "\"\($0.title)\"") }
            }),
        LintRule(
            "text.truncated", .warning, "HIG Notifications (S3-15)",
            "write a text that fits, and do not cut it off", fix: #""body": "The courier is two stops away.""#
        ) { facts in
            facts.writtenTexts.compactMap { text in
                if text.text.isCutOff { return Hit(path: text.path, detail: "it ends with …") }
                // [design] The lock screen shows this much of a body.
                guard text.path == facts.body.path, text.text.count > 178 else { return nil }
                return Hit(path: text.path, detail: "\(text.text.count) characters, but only 178 are shown")
            }
        },
        LintRule(
            "body.noPunctuation", .info, "HIG Notifications (S3-15)",
            "a body of whole sentences should have punctuation", fix: #""body": "Your order is on its way.""#
        ) { facts in written(facts.body, facts) { $0.text.isPunctuated || $0.text.isShortClause ? nil : "" } },
        LintRule(
            "body.notSentence", .info, "HIG Notifications (S3-15)",
            "a body should be in sentence case, not in capitals", fix: #""body": "Your order is on its way.""#
        ) { facts in written(facts.body, facts) { $0.text.shouts ? "" : nil } },
        LintRule(
            "body.instructs", .warning, "HIG Notifications (S3-16)",
            "people forget instructions when the notification is gone",
            fix: #""body": "Your table is free at 19:00." with a button Reserve"#
        ) { facts in written(facts.body, facts) { $0.folded.instruction.map { "\"\($0)\"" } } },
    ]

    /// In lower case: titles that fit every notification [design].
    private static let genericTitles: Set<String> = [
        "new document", "new message", "new notification", "notification", "alert", "update", "hello", "お知らせ", "通知",
        "新着", "新着通知", "新着情報", "新着メッセージ", "新着のお知らせ",
    ]

    private static func written(
        _ text: LintFacts.Text, _ facts: LintFacts, _ objection: (LintFacts.Text) -> String?
    ) -> [Hit] {
        guard facts.isAlert, !facts.subject.isCommunication, !text.text.isEmpty else { return [] }
        return objection(text).map { [Hit(path: text.path, detail: $0)] } ?? []
    }
}

extension LintRule {
    static let contents = [
        LintRule(
            "content.sensitive", .error, "HIG Notifications (S3-17)", "bystanders can read a notification",
            fix: #""body": "Your new statement is available." instead of the account number"#
        ) { facts in
            facts.texts.compactMap { text in
                let kinds = SensitiveText.kinds(in: text.text)
                guard !kinds.isEmpty else { return nil }
                let severity: Finding.Severity = kinds.contains { $0.isGrave } ? .error : .warning
                return Hit(path: text.path, detail: kinds.map(\.rawValue).joined(separator: ", "), severity: severity)
            }
        },
        LintRule(
            "content.duplicate", .warning, "HIG Notifications (S3-18); design",
            "the same text was sent again as another notification",
            fix: "the same apns-collapse-id for notifications that replace each other", needs: [.history]
        ) { facts in
            guard facts.isAlert, let history = facts.subject.history else { return [] }
            let count = history.earlier.count { facts.isRepeated(in: $0) }
            guard count > 0 else { return [] }
            return [Hit(path: "aps.alert", detail: "\(count + 1) times")]
        },
    ]
}

extension LintFacts {
    /// Whether an earlier notification, listed or recent, has the same texts under another identifier.
    fileprivate func isRepeated(in earlier: LintHistory.Earlier) -> Bool {
        guard earlier.identifier != subject.identifier else { return false }
        let age = subject.now.map { $0.milliseconds - earlier.at.milliseconds } ?? 0
        guard earlier.isListed || age >= 0 && age <= subject.duplicateWindow else { return false }
        return zip([title, subtitle, body], earlier.texts).allSatisfy {
            $0.folded.trimming(\.isWhitespace) == $1.lowercased().trimming(\.isWhitespace)
        }
    }
}
