internal import APNs
internal import DeviceModel
internal import JSON

/// What happens to a device.
enum DeviceInput {
    /// A push for one of its apps.
    case arrival(Arrival, PolicyContext)
    /// The person or an app does something.
    case act(DeviceAct)
    /// The service extension is done with a push.
    case extended(UInt64, Shared<ExtensionRecord>)
    /// Somebody puts the device in another condition.
    case conditions(DeviceConditions)
    /// The person changes an app's settings; nil goes back to the app's own.
    case settings(NotificationSettings?, app: String)
    /// Time has passed.
    case time
}

/// A device's state, a value that changes through `reduce` only.
///
/// Everything that happens has a number on the device. Feeding the inputs of its log to a new state gives the same state again
/// (`DeviceHistory`).
struct DeviceState {
    var conditions: Shared<DeviceConditions>
    /// The apps about which there is something to remember; few, so looked up one by one.
    var apps: [AppState] = []
    var inbox = Inbox()
    /// Pushes that wait for the device, oldest first.
    var held: [StoredPush] = []
    /// Pushes that are with their service extensions, in the order in which they went there.
    var extending: [ExtendingPush] = []
    /// Pushes that somebody must give to their service extensions; taken out after every input.
    var extensionTasks: [ExtensionTask] = []
    /// Notifications that went to service extensions, by number.
    var extended: [UInt64: ExtendedPush] = [:]
    /// Notifications that wait for the next summary, oldest first.
    var nextSummary: [SummaryItem] = []
    /// Which notification an app's collapse identifier names.
    var collapsed: [CollapseKey: UInt64] = [:]
    var diary = EventLog()
    /// The number of the newest event.
    var lastEvent: UInt64 = 0
    /// When that was; nothing happens before it any more, so that events are in order whoever is late.
    var lastEventAt = Instant(milliseconds: .min)
    var counts = DeliveryCounts()
    /// The newest notification that was dropped: a cursor before it misses something.
    var lastDropped: UInt64 = 0
    /// The newest event of a notification that is gone.
    var lastLostDelivery: UInt64 = 0
    /// When something happens by itself next.
    var nextDue = Instant.never
    /// When a Focus switches itself on or off next.
    var nextFocusChange = Instant.never
    /// When the notifications that wait for a summary are shown; nil when none wait.
    var nextSummaryAt: Instant?
    /// One more with each change of conditions or settings; context made before are out of date.
    var revision: UInt32 = 1

    init(conditions: Shared<DeviceConditions>) {
        self.conditions = conditions
    }

    /// Forgets everything that has happened; conditions and settings stay, and numbers go on, so cursors stay good.
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

    /// Takes an input in, after everything that was due before it.
    ///
    /// - Throws: `SimulatorError` when it is impossible; then it changes nothing.
    mutating func reduce(_ input: DeviceInput, at now: Instant, in catalog: AppCatalog) throws(SimulatorError) {
        if case .arrival(let arrival, let context) = input {
            return take(arrival, context, at: now, in: catalog)
        }
        if nextDue <= now { settleDue(until: now, in: catalog) }
        let now = max(now, lastEventAt)
        let before = lastEvent
        switch input {
        case .arrival, .time: break
        case .act(let act): try perform(act, at: now, in: catalog)
        case .extended(let sequence, let record):
            try finishExtension(of: sequence, record, at: now, in: catalog)
        case .conditions(let new): change(to: new, at: now, in: catalog)
        case .settings(let settings, let app): change(settings, of: app, at: now, in: catalog)
        }
        if lastEvent != before { lastEventAt = now }
        nextDue = due(after: now, catalog.assumptions)
    }

    /// Takes a push in, which cannot fail.
    mutating func take(_ arrival: Arrival, _ context: PolicyContext, at now: Instant, in catalog: AppCatalog) {
        if nextDue <= now { settleDue(until: now, in: catalog) }
        // A push is dated when it was accepted, so another thread may have been faster with something later.
        let now = max(now, lastEventAt)
        lastEventAt = now
        receive(arrival, context, at: now, in: catalog)
        // Nearly every push is over with this.
        if held.isEmpty, nextSummary.isEmpty { return }
        nextDue = due(after: now, catalog.assumptions)
    }

    /// Lets time pass.
    mutating func pass(to now: Instant, in catalog: AppCatalog) {
        if nextDue <= now { settleDue(until: now, in: catalog) }
    }

    private mutating func settleDue(until now: Instant, in catalog: AppCatalog) {
        while nextDue <= now {
            let instant = max(nextDue, lastEventAt)
            let before = lastEvent
            settle(at: instant, in: catalog)
            if lastEvent != before { lastEventAt = instant }
            nextDue = due(after: instant, catalog.assumptions)
        }
    }

    /// Takes note of an event.
    mutating func note(_ content: EventLog.Content, at now: Instant) {
        lastEvent += 1
        diary.append(EventLog.Entry(number: lastEvent, at: now, content: content))
    }

    /// Takes note of what followed from an input.
    mutating func note(
        _ kind: DeviceEvent.Kind, _ notification: UInt64? = nil, app: String? = nil,
        _ details: [String: JSONValue] = [:], at now: Instant
    ) {
        note(.effect(kind, notification: notification, app: app, details: details), at: now)
    }

    // MARK: Apps

    /// The settings that the person changed; nil while they are the app's own.
    func ownSettings(of bundleID: String) -> Shared<NotificationSettings>? {
        for app in apps where app.bundleID == bundleID { return app.settings }
        return nil
    }

    /// The categories that an app registered on the device; nil while its developer's hold.
    func ownCategories(of bundleID: String) -> [NotificationCategory]? {
        for app in apps where app.bundleID == bundleID { return app.categories }
        return nil
    }

    /// Goes back to the developer's categories of an app.
    mutating func forgetCategories(of bundleID: String) {
        guard let index = apps.firstIndex(where: { $0.bundleID == bundleID && $0.categories != nil }) else { return }
        apps[index].categories = nil
        revision &+= 1
    }

    /// The place of an app in `apps`, made when there is none.
    mutating func appIndex(_ bundleID: String) -> Int {
        for index in apps.indices where apps[index].bundleID == bundleID { return index }
        apps.append(AppState(bundleID: bundleID))
        return apps.count - 1
    }

    /// An app, if there is something to remember about it.
    func app(_ bundleID: String) -> AppState? { apps.first { $0.bundleID == bundleID } }
}

/// An app's collapse identifier.
struct CollapseKey: Hashable {
    var bundleID: String
    var identifier: String
}

extension DeviceState: Equatable {
    /// Everything except the revision, which means something to this one's context only.
    static func == (left: Self, right: Self) -> Bool {
        left.conditions == right.conditions && left.apps == right.apps && left.inbox == right.inbox
            && left.held == right.held && left.extending == right.extending && left.extended == right.extended
            && left.nextSummary == right.nextSummary && left.diary == right.diary
            && left.lastEvent == right.lastEvent && left.counts == right.counts && left.nextDue == right.nextDue
            && left.lastEventAt == right.lastEventAt && left.collapsed == right.collapsed
            && left.nextFocusChange == right.nextFocusChange
            && left.nextSummaryAt == right.nextSummaryAt && left.lastDropped == right.lastDropped
            && left.lastLostDelivery == right.lastLostDelivery
    }
}
