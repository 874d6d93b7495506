internal import APNs
internal import DeviceModel
internal import JSON

/// The number on an app's icon, set by a push or by the app.
extension DeviceState {
    /// 0 also removes the app's notifications (I.4).
    mutating func setBadge(_ count: Int, of bundleID: String, at now: Instant) {
        apps[appIndex(bundleID)].badge = count
        if count == 0 { removeAll(of: bundleID, .badgeCleared, at: now) }
    }

    /// Handles the app's call of `setBadgeCount(_:)`.
    mutating func setBadge(
        _ count: Int, of bundleID: String, _ act: DeviceAct, at now: Instant
    ) throws(SimulatorError) {
        guard count >= 0 || (count == -1 && catalog.assumptions.negativeBadgeKeepsNotifications) else {
            throw .negativeBadge(count)
        }
        log(.act(act), at: now)
        let settings = settings(of: bundleID)
        guard count <= 0 || (settings.allowsAnything && settings.badge == .enabled) else {
            // Clearing a badge needs no permission; without one, the system ignores a number (gk).
            return emit(.diagnostic, nil, app: bundleID, ["reason": .string("badgeNotAllowed")], at: now)
        }
        emit(.badge, nil, app: bundleID, ["count": .integer(max(0, count))], at: now)
        if count < 0 {
            apps[appIndex(bundleID)].badge = 0
        } else {
            setBadge(count, of: bundleID, at: now)
        }
    }
}
