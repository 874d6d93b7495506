internal import DeviceModel
internal import JSON

/// Calls by which an app changes its notifications on the device.
extension DeviceState {
    /// - Parameter identifiers: nil for all.
    mutating func removeDelivered(
        _ identifiers: [String]?, of bundleID: String, _ act: DeviceAct, at now: Moment
    ) {
        log(.act(act), at: now)
        let wanted = inbox.indices.filter { index in
            inbox[index].bundleID == bundleID && inbox[index].places.isDelivered(now.catalog.assumptions)
                && (identifiers?.contains(identifier(of: index)) ?? true)
        }
        for index in wanted { remove(index, .removedByApp, at: now) }
    }

    mutating func setCategories(_ categories: [NotificationCategory], of bundleID: String, at now: Moment) {
        // An extension may set equal categories with every push; reusing the known ones avoids new policy contexts.
        if let known = app(bundleID)?.categories, known == categories {
            return log(.act(.setCategories(known, app: bundleID)), at: now)
        }
        log(.act(.setCategories(categories, app: bundleID)), at: now)
        apps[appIndex(bundleID)].categories = categories
        revision &+= 1
    }
}

/// The number on an app's icon, set by a push or by the app.
extension DeviceState {
    mutating func setBadge(_ number: BadgeNumber, of bundleID: String, at now: Moment) {
        apps[appIndex(bundleID)].badge = number.count
        if number.removesNotifications { removeAll(of: bundleID, .badgeCleared, at: now) }
    }

    /// Handles the app's call of `setBadgeCount(_:)`.
    mutating func setBadge(
        _ count: Int, of bundleID: String, _ act: DeviceAct, at now: Moment
    ) throws(SimulatorError) {
        guard let number = BadgeNumber(count, now.catalog.assumptions) else { throw .negativeBadge(count) }
        log(.act(act), at: now)
        let settings = settings(of: bundleID, in: now.catalog)
        guard count <= 0 || (settings.allowsAnything && settings.badge == .enabled) else {
            // Clearing a badge needs no permission; without one, the system ignores a number (gk).
            return emit(.diagnostic, nil, app: bundleID, ["reason": .string("badgeNotAllowed")], at: now)
        }
        emit(.badge, nil, app: bundleID, ["count": .integer(number.count)], at: now)
        setBadge(number, of: bundleID, at: now)
    }
}
