package import APNs
package import DeviceModel
package import JSON
package import Time

/// A device's Live Activities, and the per-app settings and budgets.
package struct ActivityTable: Equatable, Codable, Sendable {
    /// How many dismissed activities the device keeps for queries.
    static let maximumDismissedCount = 20
    static let maximumEndedCount = 100

    /// In the order of creation.
    package internal(set) var activities: [LiveActivity] = []
    /// Apps that differ from a new one; few, so searches are linear.
    package internal(set) var apps: [LiveSettings] = []
    /// In ascending order of notification; `forget` removes one.
    var decisions: [ActivityDecision] = []
    private var createdCount = 0
    /// How many dismissed activities were dropped.
    package private(set) var droppedCount = 0

    package var isEmpty: Bool {
        activities.isEmpty && apps.isEmpty && decisions.isEmpty && createdCount == 0
    }

    var sums: [(name: String, value: Int)] {
        var sums = [(name: "createdCount", value: createdCount), ("droppedCount of activities", droppedCount)]
        for activity in activities {
            let message = activity.held?.push.message
            sums += [
                ("droppedLogCount", activity.droppedLogCount), ("attributesByteCount", activity.attributesByteCount),
                ("attributesByteCount", message?.attributesByteCount ?? 0),
                ("contentByteCount", message?.contentByteCount ?? 0),
            ]
        }
        for app in apps {
            for spending in [app.updates, app.starts] {
                sums.append(("spent", Int(exactly: spending.spent.rounded(.up)) ?? .max))
            }
        }
        return sums
    }

    var settings: ActivityTable {
        var table = ActivityTable()
        table.apps = apps.map(\.settings).filter { $0 != LiveSettings(app: $0.app) }
        return table
    }

    package func settings(of bundleID: String) -> LiveSettings {
        index(of: bundleID).map { apps[$0] } ?? LiveSettings(app: bundleID)
    }

    private func index(of bundleID: String) -> Int? {
        let apps = apps.span
        for index in apps.indices where apps[index].app == bundleID { return index }
        return nil
    }

    /// Called when the notification is evicted or deleted.
    package mutating func forget(_ notification: UInt64) {
        if let index = decisions.firstIndex(where: { $0.notification == notification }) { decisions.remove(at: index) }
    }

    package func decision(about notification: UInt64) -> ActivityDecision? {
        decisions.isEmpty ? nil : decisions.first { $0.notification == notification }
    }

    mutating func changeSettings(of bundleID: String, _ change: (inout LiveSettings) -> Void) {
        if let index = index(of: bundleID) { return change(&apps[index]) }
        var settings = LiveSettings(app: bundleID)
        change(&settings)
        if settings != LiveSettings(app: bundleID) { apps.append(settings) }
    }

    func ongoing(of bundleID: String? = nil) -> Int {
        activities.count { $0.state.isOngoing && (bundleID ?? $0.bundleID) == $0.bundleID }
    }

    func indices(of bundleID: String) -> [Int] { activities.indices.filter { activities[$0].bundleID == bundleID } }

    mutating func newID(_ bundleID: String, _ context: DeviceContext) -> String {
        createdCount += 1
        return ActivityID.make(["pushcote-activity-1", context.deviceName, bundleID, String(createdCount)])
    }

    // MARK: Time

    package func due(after now: Instant) -> Instant? {
        var due: Instant?
        for index in activities.indices {
            var next: Instant?
            for deadline in LiveActivity.Deadline.all { next = Instant.earlier(next, instant(of: deadline, index)) }
            if let next, next > now { due = Instant.earlier(due, next) }
        }
        return due
    }

    /// Reads members of the activity in place; calling one of its functions would copy all of it.
    private func instant(of deadline: LiveActivity.Deadline, _ index: Int) -> Instant? {
        let activities = activities.span
        let state = activities[index].state
        return switch deadline {
        case .token: state.isLive ? activities[index].push.tokenDueAt : nil
        case .held: state.isOngoing ? activities[index].held?.until : nil
        case .stale: state == .active ? activities[index].staleDate : nil
        case .life: state.isLive ? activities[index].startedAt.advanced(by: LiveActivity.life) : nil
        case .dismissal: state == .ended ? activities[index].dismissAt : nil
        case .start: state == .pending ? activities[index].startsAt : nil
        }
    }

    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        while let (index, deadline, instant) = nextDeadline(at: context.now) {
            switch deadline {
            case .token:
                activities[index].push.tokenDueAt = nil
                effects.requests.append(.issue(activities[index].use))
            case .held: release(index, context, &effects)
            case .stale: becomeStale(index, &effects)
            case .life: end(index, at: instant, cause: "limit", context, &effects)
            case .dismissal: dismiss(index, cause: "time", context, &effects)
            case .start: startPending(index, at: instant, context, &effects)
            }
        }
        prune(context, &effects)
    }

    /// Dates from the app and its pushes stay, but a server's next update has the present time.
    mutating func setBack(_ clock: ClockReturn) {
        for index in activities.indices { activities[index].setBack(clock) }
        for index in apps.indices { apps[index].setBack(clock) }
    }

    private func nextDeadline(at now: Instant) -> (index: Int, LiveActivity.Deadline, Instant)? {
        var first: (index: Int, deadline: LiveActivity.Deadline, instant: Instant)?
        for index in activities.indices {
            for deadline in LiveActivity.Deadline.all {
                guard let instant = instant(of: deadline, index), instant <= now else { continue }
                if let first, (first.instant, first.deadline.rawValue) <= (instant, deadline.rawValue) { continue }
                first = (index, deadline, instant)
            }
        }
        return first
    }

    private mutating func becomeStale(_ index: Int, _ effects: inout DeviceEffects) {
        activities[index].state = .stale
        effects.emit(.activityStale, app: activities[index].bundleID, activities[index].details)
    }

    private mutating func startPending(
        _ index: Int, at instant: Instant, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        // A device that was off for its whole life never shows it.
        guard instant.advanced(by: LiveActivity.life) > context.now else {
            return dismiss(index, cause: "limit", context, &effects)
        }
        activities[index].startsAt = nil
        activities[index].startedAt = instant
        activities[index].lastTimestamp = max(activities[index].lastTimestamp, instant.timestamp)
        activities[index].state = .active
        begin(index, context, &effects)
        endTransient(index, context, &effects)
        let alert = activities[index].pendingAlert
        activities[index].pendingAlert = nil
        guard let alert, activities[index].state.isLive else { return }
        _ = announce(alert, isPassive: false, isStart: true, index, context, &effects)
    }

    // MARK: Changes of state

    /// Adds an activity in its first state.
    mutating func add(_ activity: LiveActivity, _ context: DeviceContext, _ effects: inout DeviceEffects) -> Int {
        activities.append(activity)
        let index = activities.count - 1
        if let channel = activity.channelKey, subscribers(of: channel) == 1 {
            effects.requests.append(.subscribe(channel))
            effects.emit(.channelSubscribed, app: channel.bundleID, ["channel": .string(channel.id)])
        }
        if activity.state == .pending {
            var details = activity.details
            details["startsAt"] = activity.startsAt.map { .string($0.text) }
            effects.emit(.activityPending, app: activity.bundleID, details)
        } else {
            begin(index, context, &effects)
            endTransient(index, context, &effects)
        }
        return index
    }

    /// Shows an activity: requests its token and, if needed, asks the person whether the app may show activities.
    private mutating func begin(_ index: Int, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        let activity = activities[index]
        var details = activity.details
        details["origin"] = .string(activity.origin.rawValue)
        details["push"] = .string(activity.push.kind.rawValue)
        details["channel"] = activity.push.channel.map { .string($0) }
        effects.emit(.activityStarted, app: activity.bundleID, details)
        if settings(of: activity.bundleID).setting == .undecided {
            let isAsked = activities.contains {
                $0.id != activity.id && $0.bundleID == activity.bundleID && $0.state.isLive
            }
            if !isAsked { effects.emit(.consentAsked, app: activity.bundleID, activity.details) }
            if activity.origin == .push, activity.push.kind == .token, context.assumptions.consentGate {
                activities[index].push.consentPending = true
            }
        }
        if activity.push.kind == .token, !activities[index].push.consentPending {
            giveToken(index, context, &effects)
        }
        if let staleDate = activity.staleDate, staleDate <= context.now { becomeStale(index, &effects) }
    }

    mutating func giveToken(_ index: Int, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        let delay = context.assumptions.updateTokenDelay
        guard delay == 0 else { return activities[index].push.tokenDueAt = context.now.advanced(by: delay) }
        effects.requests.append(.issue(activities[index].use))
    }

    /// Records an issued token.
    package mutating func take(_ token: DeviceToken, for use: TokenUse) -> JSONObject {
        if use.kind == .pushtostart {
            changeSettings(of: use.bundleID) { $0.take(token, for: use) }
            return use.subject.map { ["type": .string($0)] } ?? [:]
        }
        guard let index = activities.firstIndex(where: { $0.id == use.subject }) else { return [:] }
        activities[index].take(token)
        return activities[index].details
    }

    func subscribers(of channel: ChannelKey) -> Int {
        activities.count { $0.state.isOngoing && $0.channelKey == channel }
    }

    /// Completes an update after the content was replaced (rule 12).
    mutating func update(
        _ index: Int, staleDate: Instant?, relevance: Double, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        let staleDate = context.has(.refinements) ? staleDate : nil
        activities[index].staleDate = staleDate
        activities[index].relevance = context.has(.refinements) ? relevance : 0
        if activities.span[index].state == .stale { activities[index].state = .active }
        let details = activities[index].shareDetails()
        effects.emit(.activityUpdated, app: activities.span[index].bundleID, details)
        if let staleDate, staleDate <= context.now, activities.span[index].state == .active {
            becomeStale(index, &effects)
        }
    }

    /// Dismisses the oldest ended activities, and drops the oldest dismissed ones, above the limits.
    mutating func prune(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        guard activities.count > min(Self.maximumEndedCount, Self.maximumDismissedCount) else { return }
        var excess = count(in: .ended) - Self.maximumEndedCount
        for index in activities.indices where excess > 0 && activities[index].state == .ended {
            dismiss(index, cause: "limit", context, &effects)
            excess -= 1
        }
        excess = count(in: .dismissed) - Self.maximumDismissedCount
        guard excess > 0 else { return }
        droppedCount += excess
        activities.removeAll { activity in
            guard excess > 0, activity.state == .dismissed else { return false }
            excess -= 1
            return true
        }
    }

    /// A loop over indices, because `count(where:)` copies each activity.
    private func count(in state: LiveActivity.State) -> Int {
        var count = 0
        for index in activities.indices where activities.span[index].state == state { count += 1 }
        return count
    }

    package mutating func uninstall(_ bundleID: String, _ context: DeviceContext, _ effects: inout DeviceEffects) {
        for index in indices(of: bundleID) {
            // `dismiss` retires the token again; the first retirement counts.
            if activities[index].push.kind == .token {
                effects.requests.append(.retire(activities[index].use, .unregistered(since: context.now)))
            }
            dismiss(index, cause: "uninstall", context, &effects)
        }
        activities.removeAll { $0.bundleID == bundleID }
        apps.removeAll { $0.app == bundleID }
    }
}
