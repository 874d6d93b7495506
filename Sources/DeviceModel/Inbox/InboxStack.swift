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

/// A delivered notification, as far as its place in the list goes.
package struct InboxItem: Sendable, Hashable {
    /// Its number on the device; newer ones have higher numbers.
    package var sequence: UInt64
    /// The bundle identifier of its app.
    package var app: String
    /// `thread-id`; empty when absent.
    package var thread: String
    /// The `summaryFormat` of its category.
    package var summaryFormat: String?
    /// Whether it is shown as what somebody wrote, or as a call.
    package var isCommunication: Bool

    package init(
        sequence: UInt64, app: String, thread: String = "", summaryFormat: String? = nil, isCommunication: Bool = false
    ) {
        self.sequence = sequence
        self.app = app
        self.thread = thread
        self.summaryFormat = summaryFormat
        self.isCommunication = isCommunication
    }
}

/// What notifications have in common that lie in one stack (I.2).
package enum GroupKey: Sendable, Hashable {
    /// Those of an app with the same `thread-id`; without one they are a thread of their own.
    case thread(app: String, identifier: String)
    case app(String)
    case single(sequence: UInt64)

    /// The stack that a notification belongs to under the person's setting for its app.
    package init(_ item: InboxItem, grouping: NotificationSettings.Grouping) {
        switch grouping {
        case .automatic: self = .thread(app: item.app, identifier: item.thread)
        case .byApp: self = .app(item.app)
        case .off: self = .single(sequence: item.sequence)
        }
    }
}

/// A text with a place for a number, as `summaryFormat` and `hiddenPreviewsBodyPlaceholder` are: `%u more messages`.
package struct CountFormat: Sendable, Hashable {
    /// The text as the app wrote it.
    package var format: String

    package init(_ format: String) { self.format = format }

    /// The text with the number for `%u` (and `%d`, `%1$u`), and a per cent sign for `%%`; others stay as they are.
    ///
    /// `summaryArgument` has no effect since iOS 15 (Apple, "UNNotificationContent"), so `%@` stands for nothing.
    package func text(count: Int) -> String {
        var text = ""
        var rest = format[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[percent...].dropFirst()
            let afterPosition = rest.drop { ("0"..."9").contains($0) }
            let hasPosition = afterPosition.startIndex != rest.startIndex && afterPosition.first == "$"
            let place = hasPosition ? afterPosition.dropFirst() : rest
            switch place.first {
            case "u", "d": text += "\(count)"
            case "@": break
            case "%": text += "%"
            default:
                text += "%"
                continue
            }
            rest = place.dropFirst()
        }
        return text + rest
    }
}
