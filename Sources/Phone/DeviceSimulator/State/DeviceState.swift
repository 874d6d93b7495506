internal import DeviceModel
internal import JSON
package import LiveModel
package import SiriModel
internal import Time

/// A device's state, changed only by inputs: equal inputs at equal moments lead to equal state and effects.
package struct DeviceState {
    var conditions: Shared<DeviceConditions>
    /// Apps with state of their own; few, so searches are linear.
    var apps: [AppState] = []
    var inbox = Inbox()
    /// Pushes stored for the device, oldest first.
    var stored: [StoredPush] = []
    /// Pushes at their service extensions, in the order of the requests.
    var extending: [ExtensionTask] = []
    /// Notifications that went to service extensions, by sequence number.
    var extended: [UInt64: ExtendedPush] = [:]
    var summary = PendingSummary()
    /// In the order of subscribing.
    var subscriptions: [ChannelSubscription] = []
    /// Nothing or one: out of line to save memory, as most devices hold nothing.
    private var held: [HeldState] = []
    private(set) var hasLive = false
    private(set) var hasSiri = false
    /// Of the inputs since the store took them, in order.
    var effects: [StoreEffect] = []
    /// When a summary or the end of a Focus first showed a notification that was not shown on delivery.
    var shownLater: [UInt64: Instant] = [:]
    /// The notification that a collapse identifier names.
    var collapsed: [CollapseKey: UInt64] = [:]
    var eventLog = EventLog()
    var lastEvent: UInt64 = 0
    /// Later events are never dated before it, even if an input is late; `setBack` is the exception.
    var lastEventAt = Instant(milliseconds: .min)
    var counts = DeliveryCounts()
    /// The newest evicted notification; older cursors have a gap.
    var lastDropped: UInt64 = 0
    /// The newest event of an evicted or deleted notification.
    var lastLostDelivery: UInt64 = 0
    var nextDue = Instant.never
    var focus = ScheduledFocus()
    /// Incremented with each change of conditions, settings or categories to invalidate policy contexts.
    var revision: UInt32 = 1
    var forgottenTokenCount: UInt32 = 0
    /// The latest ones, oldest first.
    var clockReturns: [PastClockReturn] = []

    init(conditions: Shared<DeviceConditions>) { self.conditions = conditions }

    var place: DevicePlace { held.isEmpty ? DevicePlace() : held.span[0].live.local.place }

    /// Apps that were uninstalled and have not registered since, the last one last.
    var uninstalled: [String] { held.isEmpty ? [] : held.span[0].uninstalled }

    package internal(set) var live: LiveState {
        get { hasLive ? held.span[0].live : LiveState() }
        _modify {
            if held.isEmpty { held.append(HeldState()) }
            defer {
                hasLive = !held.span[0].live.isEmpty
                releaseHeld()
            }
            yield &held[0].live
        }
    }

    package internal(set) var siri: SiriState {
        get { hasSiri ? held.span[0].siri : SiriState() }
        _modify {
            if held.isEmpty { held.append(HeldState()) }
            defer {
                hasSiri = !held.span[0].siri.isEmpty
                releaseHeld()
            }
            yield &held[0].siri
        }
    }

    private mutating func releaseHeld() { if !hasLive, !hasSiri, uninstalled.isEmpty { held = [] } }

    /// When time next changes `live` or `siri`; nil for never. Copies neither of them.
    func heldDue(after now: Instant) -> Instant? {
        guard !held.isEmpty else { return nil }
        return Instant.earlier(held.span[0].live.due(after: now), held.span[0].siri.due(after: now))
    }

    /// Changes Live Activities while `hasLive`, in a way that keeps it true: changing `live` checks that and costs more.
    mutating func changeActivities<Result>(_ change: (inout ActivityTable) -> Result) -> Result {
        change(&held[0].live.activities)
    }

    /// Clears all history; conditions and settings stay. Numbers continue, so cursors stay valid.
    ///
    /// - Parameter now: Before everything.
    mutating func startOver(at now: Moment) {
        var fresh = DeviceState(conditions: conditions)
        fresh.lastEvent = lastEvent
        fresh.lastEventAt = lastEventAt
        fresh.lastLostDelivery = lastEvent
        fresh.revision = revision &+ 1
        fresh.focus = focus
        for app in apps where app.settings != nil || app.ephemeralUntil != nil || app.categories != nil {
            var retained = AppState(bundleID: app.bundleID)
            retained.settings = app.settings
            retained.ephemeralUntil = app.ephemeralUntil
            retained.categories = app.categories
            fresh.apps.append(retained)
        }
        fresh.restore(uninstalled: uninstalled)
        fresh.clockReturns = clockReturns
        if hasLive { fresh.live = live.settings }
        if hasSiri { fresh.siri = siri.settings }
        fresh.nextDue = fresh.due(after: now)
        self = fresh
    }

    /// Performs everything due before the input, then applies it.
    ///
    /// - Throws: `SimulatorError` when the input is impossible; only due events are then applied.
    mutating func reduce(_ input: DeviceInput, at now: Moment) throws(SimulatorError) {
        if case .setBack(let former) = input { return setBack(from: former, to: now) }
        advance(to: now)
        let now = now.notBefore(lastEventAt)
        let before = lastEvent
        switch input {
        case .time, .setBack: return
        case .act(let act): try handle(act, at: now)
        case .extended(let sequence, let record): try finishExtension(of: sequence, record, at: now)
        case .conditions(let new): change(to: new, at: now)
        case .settings(let settings, let app): change(settings, of: app, at: now)
        case .surfaces(let app): exchangeTokens(of: app, at: now)
        case .activity, .local, .service, .donation, .calendar: try change(input, at: now)
        case .webhook(let result): emit(.webhookResult, app: result.app, result.details, at: now)
        }
        refreshSuggestions(at: now)
        if lastEvent != before { lastEventAt = now.time }
        nextDue = due(after: now)
    }

    /// - Parameter now: Not before the last event; everything due has been performed.
    mutating func receive(_ arrival: Arrival, _ context: PolicyContext, at now: Moment) {
        lastEventAt = now.time
        accept(arrival, context, at: now)
        // The common case: nothing is pending.
        if stored.isEmpty, summary.items.isEmpty, !hasLive, !hasSiri { return }
        nextDue = due(after: now)
    }

    /// - Parameter limit: Of instants. With a limit, it also stops where the store must act, so that the tokens of an
    ///   instant are numbered before later events.
    /// - Returns: The last instant performed if more is due; nil when all is done.
    @discardableResult
    mutating func advance(to now: Moment, atMost limit: Int? = nil) -> Instant? {
        var reached: Instant?
        var count = 0
        while nextDue <= now.time {
            if let limit, count == limit || effects.contains(where: \.isRequest) { return reached }
            count += 1
            let instant = max(nextDue, lastEventAt)
            reached = instant
            let before = lastEvent
            performDue(at: now.at(instant))
            if lastEvent != before { lastEventAt = instant }
            nextDue = due(after: now.at(instant))
        }
        return nil
    }

    /// Numbers the event of a token that was issued to an app.
    mutating func countToken(of bundleID: String, at now: Moment) {
        advance(to: now)
        lastEventAt = max(now.time, lastEventAt)
        lastEvent += 1
        limitAppClip(bundleID, at: now)
        if let until = app(bundleID)?.ephemeralUntil { nextDue = min(nextDue, until) }
    }

    mutating func log(_ content: consuming EventLog.Content, at now: Moment) {
        lastEvent += 1
        if let retention = now.catalog.retention { eventLog.evict(before: now.time.advanced(by: -retention)) }
        eventLog.append(EventLog.Entry(number: lastEvent, at: now.time, content: content))
    }

    mutating func emit(
        _ kind: DeviceEvent.Kind, _ notification: UInt64? = nil, app: consuming String? = nil,
        _ details: consuming JSONObject = [:], at now: Moment
    ) {
        log(.effect(kind, notification: notification, app: app, details: details), at: now)
    }

    mutating func emit(_ kind: DeviceEvent.Kind, of index: Int, _ details: JSONObject = [:], at now: Moment) {
        emit(kind, inbox[index].sequence, app: inbox[index].bundleID, details, at: now)
    }

    /// Records a change of an existing notification for those who follow.
    mutating func touch(_ index: Int, at now: Moment) {
        if now.isFollowed { effects.append(.changed(inbox[index].sequence)) }
    }

    // MARK: Apps

    /// Restores the developer's categories of an app.
    mutating func forgetCategories(of bundleID: String) {
        guard let index = apps.firstIndex(where: { $0.bundleID == bundleID && $0.categories != nil }) else { return }
        apps[index].categories = nil
        revision &+= 1
    }

    /// Adds the app to `apps` if it is missing.
    mutating func appIndex(_ bundleID: String) -> Int {
        if let index = apps.firstIndex(where: { $0.bundleID == bundleID }) { return index }
        apps.append(AppState(bundleID: bundleID))
        return apps.count - 1
    }

    /// Bounds memory; of more apps, the device does not know any more that they were uninstalled.
    private static let maximumUninstalledCount = 200

    /// - Parameter isInstalled: Whether the app was installed, or uninstalled.
    mutating func mark(_ bundleID: String, isInstalled: Bool) {
        restore(uninstalled: uninstalled.filter { $0 != bundleID } + (isInstalled ? [] : [bundleID]))
    }

    mutating func restore(uninstalled names: [String]) {
        guard names != uninstalled else { return }
        if held.isEmpty { held.append(HeldState()) }
        held[0].uninstalled = names.suffix(Self.maximumUninstalledCount)
        releaseHeld()
    }

    /// nil when the app has no state of its own.
    func app(_ bundleID: String) -> AppState? { apps.first { $0.bundleID == bundleID } }
}

private struct HeldState {
    var live = LiveState()
    var siri = SiriState()
    var uninstalled: [String] = []
}

struct CollapseKey: Hashable {
    var bundleID: String
    var identifier: String
}
