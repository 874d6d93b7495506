internal import DeviceModel

/// Rules about badges.
extension LintRule {
    static let badges = [
        LintRule(
            "badge.misuse", .warning, "HIG Notifications (S3-32, S3-33, S3-34)",
            "a badge is the number of unread notifications and nothing else",
            fix: #""badge": 3 when three notifications are unread"#, needs: [.history]
        ) { facts in
            guard let badge = facts.content.badge, badge > 0, let history = facts.subject.history else { return [] }
            return facts.objections(to: badge, history).prefix(1).map { Hit(path: PayloadKey.badge.path, detail: $0) }
        }
    ]
}

extension LintFacts {
    fileprivate func objections(to badge: Int, _ history: LintHistory) -> [String] {
        var objections: [String] = []
        if let last = history.badge, (badge - last).magnitude > 50 {
            objections.append("it jumps from \(last) to \(badge)")
        }
        if !content.hasAlert, history.badgesWithoutAlert >= 2 {
            objections.append("\(history.badgesWithoutAlert + 1) badges in a row came without an alert")
        }
        if let unread = history.unreadCount, unread != badge {
            objections.append("it is \(badge), and \(unread) are unread on the device")
        }
        return objections
    }
}
