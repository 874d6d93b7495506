/// Groups notifications into stacks: lists with the newest on top (I.2).
package enum InboxStack {
    package enum Key: Sendable, Hashable {
        /// An app's notifications with the same `thread-id`, or without one.
        case thread(app: String, identifier: String)
        case app(String)
        case single(sequence: UInt64)

        package init(app: String, thread: String, sequence: UInt64, grouping: NotificationSettings.Grouping) {
            switch grouping {
            case .automatic: self = .thread(app: app, identifier: thread)
            case .byApp: self = .app(app)
            case .off: self = .single(sequence: sequence)
            }
        }
    }

    /// Puts stacks with a communication notification first (E.2; Apple, "updating(from:)").
    package static func promoted<Item>(_ stacks: [[Item]], _ isCommunication: (Item) -> Bool) -> [[Item]] {
        stacks.filter { $0.contains(where: isCommunication) } + stacks.filter { !$0.contains(where: isCommunication) }
    }

    /// The line under the top notification; nil when it is alone.
    ///
    /// - Parameter format: The `summaryFormat` of a notification's category. Assumption: the top notification's counts.
    package static func text<Item>(
        of stack: [Item], in language: SystemLanguage, format: (Item) -> String?
    ) -> String? {
        let count = stack.count - 1
        guard let leading = stack.first, count > 0 else { return nil }
        if let format = format(leading), !format.isEmpty {
            return format.filled { conversion, _ in
                switch conversion.first {
                case "u", "d": "\(count)"
                // `summaryArgument` has no effect since iOS 15 (Apple, "UNNotificationContent").
                case "@": ""
                default: nil
                }
            }
        }
        return language.text(
            english: count == 1 ? "1 more notification" : "\(count) more notifications", japanese: "ほか\(count)件の通知")
    }
}

extension Array {
    /// Groups and members stay in the order of first occurrence.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [[Element]] {
        var groups: [[Element]] = []
        var places: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            if let index = places[key] {
                groups[index].append(element)
            } else {
                places[key] = groups.count
                groups.append([element])
            }
        }
        return groups
    }
}
