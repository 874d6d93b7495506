/// Notifications that lie on each other; the newest is on top.
package struct InboxStack: Sendable, Hashable {
    package var key: GroupKey
    /// The notification on top.
    package var leading: InboxItem
    /// Those below it, the newest first.
    package var others: [InboxItem]

    /// Whether what somebody wrote, or a call, lies in it.
    package var hasCommunication: Bool { leading.isCommunication || others.contains(where: \.isCommunication) }

    /// What stands under the notification on top; nil when nothing is below it.
    ///
    /// Assumption: the category of the one on top words it.
    package func text(in language: SystemLanguage) -> String? {
        guard !others.isEmpty else { return nil }
        if let format = leading.summaryFormat, !format.isEmpty {
            return CountFormat(format).text(count: others.count)
        }
        switch language {
        case .english: return others.count == 1 ? "1 more notification" : "\(others.count) more notifications"
        case .japanese: return "ほか\(others.count)件の通知"
        }
    }

    /// The stacks in the order of Notification Center: those with a communication notification first (E.2; Apple,
    /// "updating(from:)").
    package static func promoted(_ stacks: [InboxStack]) -> [InboxStack] {
        stacks.filter(\.hasCommunication) + stacks.filter { !$0.hasCommunication }
    }

    /// Stacks what is in a list; the stack with the newest notification comes first.
    ///
    /// - Parameter grouping: the person's setting for an app, by bundle identifier.
    package static func stacks(
        of items: [InboxItem], grouping: (String) -> NotificationSettings.Grouping
    ) -> [InboxStack] {
        var stacks: [InboxStack] = []
        var places: [GroupKey: Int] = [:]
        for item in items.sorted(by: { $0.sequence > $1.sequence }) {
            let key = GroupKey(item, grouping: grouping(item.app))
            if let place = places[key] {
                stacks[place].others.append(item)
            } else {
                places[key] = stacks.count
                stacks.append(InboxStack(key: key, leading: item, others: []))
            }
        }
        return stacks
    }
}
