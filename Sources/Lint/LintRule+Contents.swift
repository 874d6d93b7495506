internal import APNs
internal import DeviceModel

/// Rules about what a notification must not hold, or not again.
extension LintRule {
    static let contents = [
        LintRule(
            "content.sensitive", .error, "HIG Notifications (S3-17)", "anyone can read a notification over a shoulder",
            fix: #""body": "A new statement is there." instead of the account's number"#
        ) { facts in
            facts.texts.compactMap { text in
                let kinds = SensitiveText.kinds(in: text.text)
                guard !kinds.isEmpty else { return nil }
                let severity: Finding.Severity = kinds.contains { $0.isGrave } ? .error : .warning
                return Hit(
                    path: text.path, detail: kinds.map(\.rawValue).joined(separator: ", "), severity: severity)
            }
        },
        LintRule(
            "content.duplicate", .warning, "HIG Notifications (S3-18); design",
            "the same text again, as another notification",
            fix: "one apns-collapse-id for all that replace one another", needs: [.history]
        ) { facts in
            guard facts.isAlert, let history = facts.subject.history else { return [] }
            let count = history.earlier.count { facts.isRepeated(in: $0) }
            guard count > 0 else { return [] }
            return [
                Hit(path: "aps.alert", detail: "number \(count + 1)", severity: count == 1 ? .warning : .error)
            ]
        },
    ]
}

extension LintFacts {
    /// Whether an earlier notification says the same under another identifier, and a person may still have it in mind.
    fileprivate func isRepeated(in earlier: LintHistory.Earlier) -> Bool {
        guard earlier.identifier != subject.identifier else { return false }
        let age = subject.now.map { $0.milliseconds - earlier.at.milliseconds } ?? 0
        guard earlier.isListed || age <= subject.duplicateWindow else { return false }
        return zip([title, subtitle, body], [earlier.title, earlier.subtitle, earlier.body])
            .allSatisfy { $0.folded.trimmingSpace == $1.lowercased().trimmingSpace }
    }
}

extension String {
    fileprivate var trimmingSpace: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
