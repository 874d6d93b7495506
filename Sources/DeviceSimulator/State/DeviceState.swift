internal import APNs
internal import DeviceModel
internal import JSON

/// What happens to a device, except pushes.
enum DeviceInput: Codable {
    /// The person or an app does something.
    case act(DeviceAct)
    /// The service extension has finished with a push.
    case extended(UInt64, Shared<ExtensionRecord>)
    case conditions(DeviceConditions)
    /// The person changes an app's settings; nil restores the app's own.
    case settings(NotificationSettings?, app: String)
    /// Time has passed.
    case time
}

/// A device's state, a value that changes through `reduce` and `receive` only: the same inputs lead to the same state.
struct DeviceState {
    var conditions: Shared<DeviceConditions>
    /// The apps with state of their own; few, so searches are linear.
    var apps: [AppState] = []
    var inbox = Inbox()
    /// Pushes that wait for the device, oldest first.
    var held: [StoredPush] = []
    /// Pushes that are with their service extensions, in the order of the requests.
    var extending: [ExtendingPush] = []
    /// Requests to service extensions; the store takes them after every input.
    var extensionTasks: [ExtensionTask] = []
    /// Notifications that went to service extensions, by number.
    var extended: [UInt64: ExtendedPush] = [:]
    /// Notifications that wait for the next summary, oldest first.
    var nextSummary: [SummaryItem] = []
    /// Which notification an app's collapse identifier names.
    var collapsed: [CollapseKey: UInt64] = [:]
    var eventLog = EventLog()
    /// The number of the newest event.
    var lastEvent: UInt64 = 0
    /// When the newest event happened. Later events are never dated before it, even if an input is late.
    var lastEventAt = Instant(milliseconds: .min)
    var counts = DeliveryCounts()
    /// The newest dropped notification; a cursor before it has a gap.
    var lastDropped: UInt64 = 0
    /// The newest event of a notification that is gone.
    var lastLostDelivery: UInt64 = 0
    /// When something happens by itself next.
    var nextDue = Instant.never
    /// When a schedule switches the Focus next.
    var nextFocusChange = Instant.never
    /// When the next summary is shown; nil when nothing waits for it.
    var nextSummaryAt: Instant?
    /// Incremented with each change of conditions, settings or categories, which makes policy contexts stale.
    var revision: UInt32 = 1

    init(conditions: Shared<DeviceConditions>) {
        self.conditions = conditions
    }

    /// Clears everything that has happened; conditions and settings stay. Numbers continue, so cursors stay valid.
    mutating func startOver(in catalog: AppCatalog) {
        var fresh = DeviceState(conditions: conditions)
        fresh.lastEvent = lastEvent
        fresh.lastEventAt = lastEventAt
        fresh.lastLostDelivery = lastEvent
        fresh.revision = revision &+ 1
        fresh.nextFocusChange = nextFocusChange
        for app in apps where app.settings != nil || app.ephemeralUntil != nil || app.categories != nil {
            var kept = AppState(bundleID: app.bundleID)
            kept.settings = app.settings
            kept.ephemeralUntil = app.ephemeralUntil
            kept.categories = app.categories
            fresh.apps.append(kept)
        }
        fresh.nextDue = fresh.due(after: Instant(milliseconds: .min), catalog.assumptions)
        self = fresh
    }

    /// Performs everything that was due before an input, then applies it.
    ///
    /// - Throws: `SimulatorError` when it is impossible; then it changes nothing.
    mutating func reduce(_ input: DeviceInput, at now: Instant, in catalog: AppCatalog) throws(SimulatorError) {
        advance(to: now, in: catalog)
        let now = max(now, lastEventAt)
        let before = lastEvent
        switch input {
        case .time: return
        case .act(let act): try perform(act, at: now, in: catalog)
        case .extended(let sequence, let record):
            try finishExtension(of: sequence, record, at: now, in: catalog)
        case .conditions(let new): change(to: new, at: now, in: catalog)
        case .settings(let settings, let app): change(settings, of: app, at: now, in: catalog)
        }
        if lastEvent != before { lastEventAt = now }
        nextDue = due(after: now, catalog.assumptions)
    }

    mutating func receive(_ arrival: Arrival, _ context: PolicyContext, at now: Instant, in catalog: AppCatalog) {
        advance(to: now, in: catalog)
        // A push is dated when it was accepted, so another thread may have applied a later input first.
        let now = max(now, lastEventAt)
        lastEventAt = now
        accept(arrival, context, at: now, in: catalog)
        // The common case: nothing waits.
        if held.isEmpty, nextSummary.isEmpty { return }
        nextDue = due(after: now, catalog.assumptions)
    }

    /// Performs everything that is due until an instant.
    mutating func advance(to now: Instant, in catalog: AppCatalog) {
        while nextDue <= now {
            let instant = max(nextDue, lastEventAt)
            let before = lastEvent
            performDue(at: instant, in: catalog)
            if lastEvent != before { lastEventAt = instant }
            nextDue = due(after: instant, catalog.assumptions)
        }
    }

    mutating func log(_ content: EventLog.Content, at now: Instant) {
        lastEvent += 1
        eventLog.append(EventLog.Entry(number: lastEvent, at: now, content: content))
    }

    mutating func emit(
        _ kind: DeviceEvent.Kind, _ notification: UInt64? = nil, app: String? = nil,
        _ details: JSONObject = [:], at now: Instant
    ) {
        log(.effect(kind, notification: notification, app: app, details: details), at: now)
    }

    /// For a notification in the inbox.
    mutating func emit(
        _ kind: DeviceEvent.Kind, of place: Int, _ details: JSONObject = [:], at now: Instant
    ) {
        emit(kind, inbox[place].sequence, app: inbox[place].bundleID, details, at: now)
    }

    /// For an event that concerns no app.
    mutating func emit(_ kind: DeviceEvent.Kind, _ details: JSONObject, at now: Instant) {
        log(.effect(kind, notification: nil, app: nil, details: details), at: now)
    }

    // MARK: Apps

    /// Restores the developer's categories of an app.
    mutating func forgetCategories(of bundleID: String) {
        guard let index = apps.firstIndex(where: { $0.bundleID == bundleID && $0.categories != nil }) else { return }
        apps[index].categories = nil
        revision &+= 1
    }

    /// The index of an app in `apps`, which is added when it is missing.
    mutating func appIndex(_ bundleID: String) -> Int {
        if let index = apps.firstIndex(where: { $0.bundleID == bundleID }) { return index }
        apps.append(AppState(bundleID: bundleID))
        return apps.count - 1
    }

    /// nil when the app has no state of its own.
    func app(_ bundleID: String) -> AppState? { apps.first { $0.bundleID == bundleID } }
}

/// An app's collapse identifier.
struct CollapseKey: Hashable {
    var bundleID: String
    var identifier: String
}
