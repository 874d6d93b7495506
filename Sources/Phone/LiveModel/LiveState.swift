package import APNs
package import DeviceModel
package import JSON
package import Time

/// A device's state besides notifications and settings; empty on most devices.
package struct LiveState: Equatable, Codable, Sendable {
    package var activities = ActivityTable()
    package var local = LocalSchedule()
    package var services = ServiceTable()

    package init() {}

    package var isEmpty: Bool { activities.isEmpty && local == LocalSchedule() && services == ServiceTable() }

    /// Without history: what a reset that keeps devices retains.
    package var settings: LiveState {
        var state = LiveState()
        (state.activities, state.local, state.services) = (activities.settings, local.settings, services.settings)
        return state
    }

    /// The next instant after `now` at which something is due; nil for never.
    package func due(after now: Instant) -> Instant? {
        Instant.earlier(activities.due(after: now), Instant.earlier(local.due(after: now), services.due(after: now)))
    }

    /// Applies everything due at `now` or before.
    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        activities.advance(context, &effects)
        local.advance(context, &effects)
        services.advance(context, &effects)
    }

    /// Nothing happens; what was counted goes on from the new time.
    package mutating func setBack(_ clock: ClockReturn, _ context: DeviceContext) {
        activities.setBack(clock)
        local.setBack(clock, context)
        services.setBack(clock)
    }

    /// Numbers that inputs add to.
    package var sums: [(name: String, value: Int)] { activities.sums }

    /// Records an issued token.
    ///
    /// - Returns: further details for `tokenIssued`, such as `activity` and `type`.
    package mutating func take(_ token: DeviceToken, for use: TokenUse) -> JSONObject {
        use.kind == .liveactivity || use.kind == .pushtostart
            ? activities.take(token, for: use) : services.take(token, for: use)
    }

    package func has(_ bundleID: String) -> Bool {
        activities.activities.contains { $0.bundleID == bundleID }
            || activities.apps.contains { $0.app == bundleID }
            || local.pending.contains { $0.request.app == bundleID } || services.apps[bundleID] != nil
    }

    /// Removes everything that belongs to an app (I.6).
    package mutating func uninstall(_ bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        activities.uninstall(bundleID, context, &effects)
        local.uninstall(bundleID)
        services.uninstall(bundleID, &effects)
    }
}
