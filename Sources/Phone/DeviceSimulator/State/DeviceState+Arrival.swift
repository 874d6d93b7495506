internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import Time

/// A push that reached its device.
struct Arrival {
    let sequence: UInt64
    let push: Push
    private let registration: RegistrationEntry
    /// Whether the token was unregistered when the push arrived.
    let isUnregistered: Bool
    let kind: PushType
    /// Why the payload is unusable; nil when it is valid.
    let verdict: DiscardReason?
    /// Of the payload, then of the service extension's content.
    var traits: ContentTraits

    init(_ push: Push, for registration: RegistrationEntry, sequence: UInt64, _ digest: PayloadDigest) {
        self.sequence = sequence
        self.push = push
        self.registration = registration
        verdict = digest.verdict
        traits = digest.traits
        isUnregistered = registration.status.kind == .unregistered
        kind = Self.kind(of: push, for: registration, digest.traits)
    }

    /// The token's topic. Stored pushes replace each other only within one topic.
    var topic: String { registration.topic }

    var bundleID: String { registration.bundleID }
    /// The activity or control that the token belongs to.
    var subject: String? { registration.subject }
    /// Whether the use of its token has ended, perhaps since the push arrived.
    var isTokenRetired: Bool { registration.status.kind != .active }

    /// - Parameter registrations: The device's.
    func activityPush(among registrations: [RegistrationEntry]) -> ActivityPush {
        let use = registration.snapshot.use
        // None for a preview's registration, which is not among the device's.
        let newer = registrations.drop { $0 !== registration }.dropFirst()
        let address: ActivityAddress =
            registration.kind == .liveactivity
            ? .activity(registration.subject ?? "")
            : .pushToStart(isStale: newer.contains { $0.serves(use) }, type: registration.subject)
        return ActivityPush(
            push.withPayload { ActivityMessage(payload: $0) }, to: address, bundleID: bundleID,
            environment: registration.environment, priority: push.priority, id: push.apnsIDText, sequence: sequence)
    }

    var device: String { registration.device.name }

    /// When APNs stops storing the push; a push that the device holds back has left APNs.
    func expiresAt(_ assumptions: Assumptions, _ reason: HoldReason) -> Instant {
        reason == .backgroundBudget
            ? push.receivedAt.advanced(by: assumptions.storageTime) : push.expiresAt(assumptions)
    }

    var environment: APNsEnvironment { registration.environment }

    /// Without an `apns-push-type` header, the token's kind decides, and for an app's token the payload.
    static func kind(
        of push: Push, for registration: RegistrationEntry, _ traits: @autoclosure () -> ContentTraits
    ) -> PushType {
        if let type = push.pushType { return type }
        guard registration.kind == .app else { return registration.kind.pushType }
        return traits().isBackground ? .background : .alert
    }
}

extension Push {
    /// When APNs stops storing it.
    func expiresAt(_ assumptions: Assumptions) -> Instant {
        let limit = receivedAt.advanced(by: assumptions.storageTime)
        return switch expiration {
        case .unspecified: limit
        case .immediate: receivedAt
        case .at(let instant): min(instant, limit)
        }
    }
}

/// A push stored until its device can receive it.
struct StoredPush {
    let arrival: Arrival
    var expiresAt: Instant

    /// The date in the header stays, and the time counted from the arrival goes on.
    mutating func setBack(_ clock: ClockReturn, _ assumptions: Assumptions) {
        guard case .at(let date) = arrival.push.expiration, date == expiresAt else { return clock.move(&expiresAt) }
        expiresAt = min(date, clock.moved(arrival.push.receivedAt.advanced(by: assumptions.storageTime)))
    }
}

/// Delivers, stores or discards a push on arrival (apns.md 8).
extension DeviceState {
    mutating func accept(_ arrival: Arrival, _ context: PolicyContext, at now: Moment) {
        lastEvent += 1
        counts.received += 1
        inbox.append(
            InboxEntry(sequence: arrival.sequence, context: context, receivedEvent: lastEvent, kind: arrival.kind))
        let index = inbox.indices.upperBound - 1
        if let verdict = arrival.verdict { return discard(index, verdict, arrival.push, at: now) }
        if now.catalog.assumptions.unregisteredDelay > 0, arrival.isUnregistered {
            return discard(index, .unregistered, arrival.push, at: now)
        }
        guard let reason = reasonToWait(for: arrival, isOnDevice: false, at: now) else {
            return deliver(arrival, context, at: index, now)
        }
        store(arrival, index, reason, at: now)
    }

    /// nil when the push can be delivered now.
    ///
    /// - Parameter isOnDevice: Whether the push needs no connection.
    func reasonToWait(for arrival: Arrival, isOnDevice: Bool, at now: Moment) -> HoldReason? {
        let device = conditions.value
        if !device.isPoweredOn || !(device.isOnline || isOnDevice), !arrival.push.isLocal { return .offline }
        if arrival.push.priority == .immediate, arrival.kind != .background { return nil }
        let isForeground = device.isForeground(arrival.bundleID)
        // The person has opened the app (L-34).
        if isOnDevice, isForeground { return nil }
        // APNs holds these, so not what has reached the device.
        if !isOnDevice, arrival.push.priority != .immediate, device.isSavingPower { return .power }
        if !isOnDevice, arrival.push.priority == .lowPower, !device.isScreenOn { return .asleep }
        guard arrival.kind == .background, arrival.traits.isBackground, !isForeground else { return nil }
        let app = app(arrival.bundleID)
        if app?.isTerminated == true { return nil }
        let recent = app?.backgroundWakes?.count { $0.advanced(by: .hour) > now.time } ?? 0
        return recent < now.catalog.assumptions.backgroundBudget ? nil : .backgroundBudget
    }

    private mutating func store(_ arrival: Arrival, _ index: Int, _ reason: HoldReason, at now: Moment) {
        if arrival.push.expiration == .immediate, reason != .backgroundBudget {
            return discard(index, .notStored, arrival.push, at: now)
        }
        let expiresAt = arrival.expiresAt(now.catalog.assumptions, reason)
        if expiresAt <= now.time { return discard(index, .expired, arrival.push, at: now) }
        supersede(with: arrival, reason, at: now)
        let waiting = StoredPush(arrival: arrival, expiresAt: expiresAt)
        stored.append(waiting)
        markStored(waiting, index, reason, at: now)
    }

    /// A push that the device holds back has left APNs, so only a later one that the device holds back replaces it.
    private mutating func supersede(with arrival: Arrival, _ reason: HoldReason, at now: Moment) {
        for former in stored
        where former.arrival.sequence < arrival.sequence && replaces(arrival, former.arrival, at: now) {
            let state = inbox.index(of: former.arrival.sequence).map { inbox[$0].state }
            guard (state == .stored(.backgroundBudget)) == (reason == .backgroundBudget) else { continue }
            drop(former.arrival, .superseded, at: now)
        }
    }

    private mutating func markStored(_ waiting: StoredPush, _ index: Int, _ reason: HoldReason, at now: Moment) {
        guard inbox[index].state != .stored(reason) else { return }
        touch(index, at: now)
        if case .stored = inbox[index].state {
            inbox[index].context = now.catalog.context(of: waiting.arrival.bundleID, on: self)
        }
        inbox[index].enter(.stored(reason), waiting.arrival.push, at: now.time)
        let details: JSONObject = ["reason": .string(reason.rawValue), "expiresAt": .string(waiting.expiresAt.text)]
        emit(.stored, waiting.arrival.sequence, app: waiting.arrival.bundleID, details, at: now)
    }

    /// Whether a push replaces a stored one.
    private func replaces(_ new: Arrival, _ former: Arrival, at now: Moment) -> Bool {
        guard new.topic == former.topic, new.subject == former.subject, new.environment == former.environment else {
            return false
        }
        if now.catalog.assumptions.storesOnePerApp { return true }
        // Only the newest background push is stored (doc: Pushing background updates to your App).
        if new.kind == .background, former.kind == .background { return true }
        guard let identifier = new.push.collapseID else { return false }
        return identifier == former.push.collapseID
    }

    /// Discards a push that is stored or with its service extension.
    mutating func drop(_ arrival: Arrival, _ reason: DiscardReason, at now: Moment) {
        removePending(arrival.sequence)
        guard let index = inbox.index(of: arrival.sequence) else { return }
        touch(index, at: now)
        discard(index, reason, arrival.push, at: now)
    }

    /// The push is no longer stored for the device, or no longer with its service extension.
    mutating func removePending(_ sequence: UInt64) {
        if !stored.isEmpty { stored.removeAll { $0.arrival.sequence == sequence } }
        if !extending.isEmpty { extending.removeAll { $0.arrival.sequence == sequence } }
    }

    /// Delivers the stored pushes that no longer need to wait, in order of arrival.
    mutating func deliverStored(at now: Moment) {
        // Check each at its turn: a delivery may use up the budget for the next one.
        for var waiting in stored {
            guard let index = inbox.index(of: waiting.arrival.sequence) else { continue }
            let isHeld = inbox[index].state == .stored(.backgroundBudget)
            if let reason = reasonToWait(for: waiting.arrival, isOnDevice: isHeld, at: now) {
                if isHeld { continue }
                if inbox[index].state != .stored(reason) { supersede(with: waiting.arrival, reason, at: now) }
                if reason == .backgroundBudget { hold(&waiting, at: now) }
                markStored(waiting, index, reason, at: now)
                continue
            }
            deliver(waiting.arrival, release(waiting, index, at: now), at: index, now)
        }
    }

    /// The push has left APNs, so the date in its header counts no more.
    private mutating func hold(_ waiting: inout StoredPush, at now: Moment) {
        waiting.expiresAt = waiting.arrival.expiresAt(now.catalog.assumptions, .backgroundBudget)
        if let index = stored.firstIndex(where: { [waiting] in $0.arrival.sequence == waiting.arrival.sequence }) {
            stored[index] = waiting
        }
    }

    /// Returns the context of a stored push that is delivered now.
    private mutating func release(_ waiting: StoredPush, _ index: Int, at now: Moment) -> PolicyContext {
        removePending(waiting.arrival.sequence)
        let context = now.catalog.context(of: waiting.arrival.bundleID, on: self)
        inbox[index].context = context
        touch(index, at: now)
        return context
    }

    mutating func discard(_ index: Int, _ reason: DiscardReason, _ push: Push, at now: Moment) {
        inbox[index].enter(.discarded(reason), push, at: now.time)
        lastEvent += 1
        inbox[index].deliveryEvent = lastEvent
        counts.discarded += 1
    }
}
