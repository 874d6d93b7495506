internal import APNs
internal import DeviceModel
internal import JSON
internal import Time

/// The end of an activity, and its dismissal.
extension ActivityTable {
    /// - Parameter dismissalDate: nil for the latest possible time.
    mutating func end(
        _ index: Int, at instant: Instant, dismissalDate: Instant? = nil, cause: String, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        let wasPending = activities[index].state == .pending
        let latest = instant.advanced(by: LiveActivity.afterlife)
        let dismissAt = min(dismissalDate ?? latest, latest)
        let channel = activities[index].channelKey
        activities[index].state = .ended
        activities[index].endedAt = instant
        activities[index].dismissAt = dismissAt
        activities[index].startsAt = nil
        var details = activities[index].details
        details["by"] = .string(cause)
        details["dismissAt"] = .string(dismissAt.text)
        effects.emit(.activityEnded, app: activities[index].bundleID, details)
        closePush(index, channel, context, &effects)
        if wasPending || dismissAt <= instant { dismiss(index, cause: cause, context, &effects) }
    }

    private mutating func closePush(
        _ index: Int, _ channel: ChannelKey?, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        activities[index].push.consentPending = false
        activities[index].push.tokenDueAt = nil
        dropHeld(index, .activityEnded, at: context.now, &effects)
        // Requested even without a token: one that is due at the same time is issued after this.
        if activities[index].push.kind == .token, context.assumptions.tokenAfterEnd == .expired {
            effects.requests.append(.retire(activities[index].use, .expired(since: context.now)))
        }
        if let channel, subscribers(of: channel) == 0 {
            effects.requests.append(.unsubscribe(channel))
            effects.emit(.channelUnsubscribed, app: channel.bundleID, ["channel": .string(channel.id)])
        }
    }

    mutating func dismiss(_ index: Int, cause: String, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        guard activities[index].state != .dismissed else { return }
        let wasOngoing = activities[index].state.isOngoing
        activities[index].state = .dismissed
        activities[index].dismissAt = context.now
        if wasOngoing { activities[index].endedAt = context.now }
        var details = activities[index].details
        details["by"] = .string(cause)
        effects.emit(.activityDismissed, app: activities[index].bundleID, details)
        if wasOngoing { closePush(index, activities[index].channelKey, context, &effects) }
    }
}
