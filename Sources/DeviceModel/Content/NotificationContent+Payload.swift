package import JSON

extension NotificationContent {
    /// The payload that says the same: what a local notification with this content would have been as a push.
    ///
    /// `mutable-content` stays away, as no service extension sees local notifications (C.1).
    package var payload: JSONValue {
        var aps: [String: JSONValue] = [:]
        let texts = [("title", title), ("subtitle", subtitle), ("body", body)].filter { !$0.1.isEmpty }
        if !texts.isEmpty {
            aps["alert"] = .object(Dictionary(uniqueKeysWithValues: texts.map { ($0.0, .string($0.1)) }))
        }
        if let badge { aps["badge"] = .integer(badge) }
        switch sound {
        case .none: break
        case .default: aps["sound"] = .string("default")
        case .named(let name): aps["sound"] = .string(name)
        case .critical(let name, let volume):
            aps["sound"] = .object(["critical": .integer(1), "name": .string(name), "volume": .number(volume)])
        }
        if !threadIdentifier.isEmpty { aps["thread-id"] = .string(threadIdentifier) }
        if !categoryIdentifier.isEmpty { aps["category"] = .string(categoryIdentifier) }
        if let statedLevel { aps["interruption-level"] = .string(statedLevel.rawValue) }
        if relevanceScore > 0 { aps["relevance-score"] = .number(relevanceScore) }
        if let filterCriteria { aps["filter-criteria"] = .string(filterCriteria) }
        if let targetContentIdentifier { aps["target-content-id"] = .string(targetContentIdentifier) }
        guard case .object(var members) = userInfo else { return .object(["aps": .object(aps)]) }
        members["aps"] = .object(aps)
        return .object(members)
    }
}
