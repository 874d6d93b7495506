internal import DeviceModel
internal import JSON

/// A preview decides again about a push: the table has the record of its decision, but not its own state before it.
extension ActivityTable {
    /// Removes the record of the decision about a push; nil unless it is decided again.
    mutating func takeRecord(of push: ActivityPush) -> ActivityDecision? {
        // The decision about a new push is the last one, unless the push was stored.
        guard let number = push.sequence, let last = decisions.last?.notification, last >= number,
            let record = decision(about: number)
        else { return nil }
        forget(number)
        return record
    }

    /// Restores the push's activity as far as the record tells: a start had not begun it, and an update could change it.
    mutating func restore(_ record: ActivityDecision, _ push: ActivityPush) {
        guard let id = record.activity, !record.facts.contains(.isOver) else { return }
        let index = activities.firstIndex { $0.id == id }
        if record.facts.contains(.isStart) {
            if let index { activities.removeSubrange(index...) }
            return
        }
        var activity =
            index.map { activities[$0] }
            ?? LiveActivity(
                id: id, bundleID: push.bundleID, environment: push.environment, type: record.type ?? "", origin: .push,
                attributes: .object([:]), content: .object([:]), lastTimestamp: record.lastTimestamp ?? 0,
                startedAt: record.at, push: LiveActivity.Push(kind: .token), attributesByteCount: 0)
        if !activity.state.isOngoing { activity.state = .active }
        if record.facts.contains(.isPending) { activity.state = .pending }
        activity.held = nil
        if let index { activities[index] = activity } else { activities.append(activity) }
    }
}

extension ActivityDecision {
    /// Takes what the record says about earlier pushes, the app and the person.
    mutating func take(_ record: ActivityDecision) {
        facts = facts.replacing(Self.history, by: record.facts)
        (lastTimestamp, byteCount, count) = (record.lastTimestamp, record.byteCount, record.count)
    }

    private static let history: FactSet<ActivityFact> = [
        .isStaleToken, .isDenied, .isOlder, .isOver, .isTooLarge, .isChannelUnknown, .isAppFull, .isDeviceFull,
        .isStartBudgetSpent, .isUpdateBudgetSpent,
    ]
}
