package import DeviceModel
internal import JSON
package import Time

/// The local notifications that apps have scheduled on a device, and the device's location (L4).
package struct LocalSchedule: Equatable, Codable, Sendable {
    /// Pending requests per app (N15).
    package static let limit = 64
    /// Pending requests of all apps; not a limit of iOS.
    package static let deviceLimit = 2000
    /// Regions per app (N11).
    package static let regionLimit = 20
    /// Not a limit of iOS.
    package static let contentByteCount = 65_536

    /// In the order in which they were added.
    package private(set) var pending: [PendingLocal] = []
    /// At most one place; an array, to save memory on the devices without one.
    private var places: [DevicePlace] = []

    package var place: DevicePlace { places.first ?? DevicePlace() }

    var settings: LocalSchedule {
        var schedule = LocalSchedule()
        schedule.places = places
        return schedule
    }

    package func pending(of bundleID: String) -> [PendingLocal] { pending.filter { $0.request.app == bundleID } }

    package func due(after now: Instant) -> Instant? {
        pending.lazy.compactMap(\.dueAt).filter { $0 > now }.min()
    }

    // MARK: Time

    /// Fires what is due, ordered by time, then by when it was added (N24).
    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        // `min` returns the first of equal elements. What has fired is due later or never again, so the loop ends.
        while let item = pending.min(by: { $0.due < $1.due }), item.due <= context.now {
            guard let index = index(of: item.request) else { return }
            if pending[index].passDue(context) { effects.requests.append(.present(LocalNotification(item.request))) }
            if pending[index].isSpent { pending.remove(at: index) }
        }
    }

    /// Adapts to a new time zone (N8), and skips what was due while the device was off (N23).
    package mutating func conditionsChanged(
        from old: DeviceConditions, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let isStarting = !old.isPoweredOn && context.device.isPoweredOn
        let isMoved = old.timeZone != context.device.timeZone
        guard isStarting || isMoved, !pending.isEmpty else { return }
        for item in pending {
            guard let index = index(of: item.request), let due = item.dueAt else { continue }
            var next = item
            if due > context.now {
                guard isMoved, case .calendar(let pattern, _) = item.request.trigger, pattern.timeZone == nil else {
                    continue
                }
                next.dueAt = item.request.trigger?.next(after: context.now, context)
            } else if isStarting, item.request.trigger?.region == nil {
                if item.request.trigger?.repeats == true {
                    next.dueAt = item.request.trigger?.next(after: context.now, since: due, context)
                } else if !context.assumptions.localDeliversMissed {
                    next.dueAt = nil
                }
            }
            if next.dueAt == nil {
                pending.remove(at: index)
                effects.neverFires(item.request, due > context.now ? "past" : "poweredOff")
            } else {
                pending[index] = next
            }
        }
    }

    /// A crossing and an interval go on; a date is found again.
    mutating func setBack(_ clock: ClockReturn, _ context: DeviceContext) {
        for index in pending.indices {
            guard let due = pending[index].dueAt, due > clock.now else { continue }
            let trigger = pending[index].request.trigger
            let date = if case .calendar = trigger { trigger?.next(after: clock.now, context) } else { nil as Instant? }
            pending[index].dueAt = date ?? clock.moved(due)
        }
    }

    // MARK: Acts

    /// - Throws: if the input is not possible now; the state is unchanged.
    package mutating func reduce(
        _ input: LocalInput, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        defer { if context.device.isPoweredOn { advance(context, &effects) } }
        switch input {
        case .add(let request): try add(request, context, &effects)
        case .removePending(let identifiers, let app):
            pending.removeAll { $0.request.app == app && identifiers.contains($0.request.identifier) }
        case .removeAllPending(let app): pending.removeAll { $0.request.app == app ?? $0.request.app }
        case .move(let place): move(to: place, context)
        }
    }

    package mutating func uninstall(_ bundleID: String) {
        pending.removeAll { $0.request.app == bundleID }
    }

    private func index(of request: LocalRequest) -> Int? {
        pending.firstIndex { $0.request.app == request.app && $0.request.identifier == request.identifier }
    }

    private mutating func add(
        _ request: LocalRequest, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        try request.check(context)
        let former = index(of: request)
        try checkRoom(for: request, former)
        if let former { pending.remove(at: former) }
        guard let trigger = request.trigger else {
            return effects.requests.append(.present(LocalNotification(request)))
        }
        var item = PendingLocal(request: request, addedAt: context.now)
        if let region = trigger.region {
            item.isInside =
                !context.assumptions.localFiresInside && place.distance(outside: region).map { $0 <= 0 } ?? false
            if context.assumptions.localFiresInside { item.follow(place, context) }
        } else {
            item.dueAt = trigger.next(after: context.now, context)
            guard item.dueAt != nil else {
                return effects.neverFires(request, trigger.isBlocked(context.assumptions) ? "quarter" : "past")
            }
        }
        pending.append(item)
        var details = request.details
        details["nextTriggerDate"] = item.nextTriggerDate.map { .string($0.text) }
        if former != nil { details["replaces"] = .bool(true) }
        effects.emit(.localScheduled, app: request.app, details)
        dropExcess(of: request.app, context, &effects)
    }

    private func checkRoom(for request: LocalRequest, _ former: Int?) throws(DeviceError) {
        guard former != nil || pending.count < Self.deviceLimit else {
            throw DeviceError(
                .conflict, "the device's limit of \(Self.deviceLimit) pending local notifications is reached")
        }
        guard let region = request.trigger?.region else { return }
        let others = pending(of: request.app).filter { $0.request.identifier != request.identifier }
        let regions = Set(others.compactMap { $0.request.trigger?.region?.identifier })
        guard regions.contains(region.identifier) || regions.count < Self.regionLimit else {
            throw DeviceError(
                .conflict, "iOS monitors \(Self.regionLimit) regions of an app; remove a request with another")
        }
    }

    /// Drops one request above the app's limit, without an error (N15).
    private mutating func dropExcess(of bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        let own = pending(of: bundleID)
        guard own.count > Self.limit else { return }
        let dropped =
            switch context.assumptions.localKeeps {
            case .lastAdded: own.first
            // The last of equal elements. A region sorts last, because its time is unknown.
            case .soonest: own.max { ($0.nextTriggerDate ?? .never) <= ($1.nextTriggerDate ?? .never) }
            }
        guard let dropped, let index = index(of: dropped.request) else { return }
        pending.remove(at: index)
        var details = dropped.request.details
        details["finding"] = .string("local.limit64")
        effects.emit(.localDropped, app: bundleID, details)
    }

    private mutating func move(to place: DevicePlace, _ context: DeviceContext) {
        places = place == DevicePlace() ? [] : [place]
        for index in pending.indices { pending[index].follow(place, context) }
    }
}

/// What an app or the person does with a device's local notifications.
package enum LocalInput: Hashable, Codable, Sendable {
    /// `add(_:)`; replaces the pending request with the same identifier (N16).
    case add(LocalRequest)
    /// Ignores unknown identifiers (N18).
    case removePending(identifiers: [String], app: String)
    /// nil for the notifications of all apps.
    case removeAllPending(app: String?)
    case move(to: DevicePlace)
}

extension DeviceEffects {
    fileprivate mutating func neverFires(_ request: LocalRequest, _ reason: String) {
        var details = request.details
        details["reason"] = .string(reason)
        details["finding"] = .string(reason == "quarter" ? "local.quarter0" : "local.neverFires")
        emit(.localNeverFires, app: request.app, details)
    }
}

extension LocalRequest {
    fileprivate func check(_ context: DeviceContext) throws(DeviceError) {
        let status = context.settings(of: app).authorizationStatus
        if context.assumptions.localNeedsPermission, status == .denied || status == .notDetermined {
            throw DeviceError(
                .conflict, "UNError 1, notificationsNotAllowed: the authorizationStatus of \(app) is \(status.rawValue)"
            )
        }
        guard content.hasAlert || content.badge != nil || content.sound != nil else {
            throw DeviceError(
                .invalid, "UNError 1401, notificationInvalidNoContent: content has neither text nor badge nor sound")
        }
        guard content.payload.bytes.count <= LocalSchedule.contentByteCount else {
            throw DeviceError(.invalid, "content takes more than \(LocalSchedule.contentByteCount) bytes; shorten it")
        }
    }
}
