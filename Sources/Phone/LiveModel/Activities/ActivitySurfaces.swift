package import DeviceModel
package import JSON
package import Time

/// What the device's surfaces show of its Live Activities (live.md L1.4).
package struct ActivitySurfaces: Hashable, Codable, Sendable {
    /// An activity as a surface shows it.
    package struct Card: Hashable, Codable, Sendable {
        package var activity: String
        package var app: String
        package var appName: String
        package var type: String
        package var state: LiveActivity.State
        /// Whether its content is hidden until the device is unlocked.
        package var isGreyed = false
        package var title: String
        package var lines: [String]

        fileprivate var greyed: Card {
            var card = self
            (card.isGreyed, card.title, card.lines) = (true, "", [])
            return card
        }
    }

    package struct Island: Hashable, Codable, Sendable {
        /// Set if only one app has activities.
        package var compact: Card?
        /// Set if several apps have activities: the attached view, then the detached one.
        package var minimal: [Card] = []
        /// Shown on a long press, and for a moment by an alert.
        package var expanded: Card?
        /// Whether it is expanded now: an alert has just expanded it, or the activity is transient.
        package var isExpanded = false
    }

    /// Whether the person lets an app show Live Activities; the system asks once.
    package struct Question: Hashable, Codable, Sendable {
        package var app: String
        package var text: String
        package var choices: [ConsentAnswer]
    }

    /// From top to bottom.
    package var lockScreen: [Card] = []
    /// Below the cards of the lock screen.
    package var question: Question?
    package var island = Island()
    /// Set while an alert is shown on a device without a Dynamic Island that is in use.
    package var banner: Card?
    /// The minimal view at the top; a tap shows the lock screen's layout.
    package var standBy: Card?
    /// The Smart Stack. An alert shows its title and text first.
    package var watch: [Card] = []
    package var watchAlert: LiveActivity.AlertTexts?
    /// Empty without CarPlay.
    package var carPlay: [Card] = []

    package init() {}
}

extension ActivityTable {
    /// Whether an alert has just lit the lock screen.
    package func isAlerting(at now: Instant) -> Bool {
        activities.contains { activity in
            guard activity.alertPresentation == .lockScreen, let alertedAt = activity.alertedAt else { return false }
            return Presentation.isUp(since: alertedAt, at: now)
        }
    }

    package func surfaces(_ context: DeviceContext) -> ActivitySurfaces {
        let shown = ordered.filter { $0.style == .standard && ($0.state.isLive || $0.state == .ended) }
        let live = ordered.filter { $0.state.isLive }
        var surfaces = ActivitySurfaces()
        let cards = shown.map { card($0, context) }
        let isGreyed = context.device.isLocked && !context.device.showsActivitiesWhenLocked
        surfaces.lockScreen = isGreyed ? cards.map(\.greyed) : cards
        surfaces.question = cards.first { settings(of: $0.app).setting == .undecided }.map { card in
            ActivitySurfaces.Question(
                app: card.app, text: "Allow Live Activities from \(card.appName)?", choices: [.deny, .allow])
        }
        if context.has(.watch) { (surfaces.watch, surfaces.watchAlert) = (cards, live.lastAlerted?.lastAlert) }
        surfaces.standBy = live.first.map { card($0, context) }
        if context.device.isCarPlayConnected, context.has(.carPlay) {
            surfaces.carPlay = live.map { card($0, context) }
        }
        let alerting = alerting(live, context)
        if context.device.hasDynamicIsland {
            surfaces.island = island(live, alerting, context)
        } else {
            surfaces.banner = alerting.map { card($0, context) }
        }
        return surfaces
    }

    /// The activity whose alert is shown over the current app.
    private func alerting(_ live: [LiveActivity], _ context: DeviceContext) -> LiveActivity? {
        guard context.alertPresentation != .lockScreen else { return nil }
        return live.filter { activity in
            // What the app itself or the lock screen showed appears nowhere else afterwards.
            guard activity.alertPresentation == .expanded || activity.alertPresentation == .banner,
                let alertedAt = activity.alertedAt, !context.isForeground(activity.bundleID)
            else { return false }
            return Presentation.isUp(since: alertedAt, at: context.now)
        }.lastAlerted
    }

    private func island(
        _ live: [LiveActivity], _ alerting: LiveActivity?, _ context: DeviceContext
    ) -> ActivitySurfaces.Island {
        var leaders: [LiveActivity] = []
        for activity in live where !leaders.contains(where: { $0.bundleID == activity.bundleID }) {
            // The frontmost app shows its activities itself.
            if !context.isForeground(activity.bundleID) { leaders.append(activity) }
        }
        var island = ActivitySurfaces.Island()
        island.expanded = (alerting ?? leaders.first).map { card($0, context) }
        island.isExpanded = alerting != nil || leaders.first?.style == .transient
        if leaders.count == 1 { island.compact = leaders.first.map { card($0, context) } }
        if leaders.count > 1 { island.minimal = leaders.prefix(2).map { card($0, context) } }
        return island
    }

    /// Apps ordered by their newest alert or start; an app's activities by relevance, then by start.
    private var ordered: [LiveActivity] {
        var newest: [String: (alert: Int64, start: Int64)] = [:]
        for activity in activities where activity.state.isLive || activity.state == .ended {
            let known = newest[activity.bundleID] ?? (.min, .min)
            newest[activity.bundleID] = (
                max(known.alert, activity.alertedAt?.milliseconds ?? .min),
                max(known.start, activity.startedAt.milliseconds)
            )
        }
        return activities.enumerated().sorted { first, second in
            let (a, b) = (first.element, second.element)
            guard a.bundleID == b.bundleID else {
                let (left, right) = (newest[a.bundleID] ?? (.min, .min), newest[b.bundleID] ?? (.min, .min))
                return left != right ? left > right : a.bundleID < b.bundleID
            }
            guard a.relevance == b.relevance else { return a.relevance > b.relevance }
            return (a.startedAt, first.offset) < (b.startedAt, second.offset)
        }.map(\.element)
    }

    private func card(_ activity: LiveActivity, _ context: DeviceContext) -> ActivitySurfaces.Card {
        let app = context.app(activity.bundleID)
        let text = ActivityText(
            type: activity.type, attributes: activity.attributes, content: activity.content, app: app,
            device: context.device)
        return ActivitySurfaces.Card(
            activity: activity.id, app: activity.bundleID, appName: app.displayName, type: activity.type,
            state: activity.state, title: text.title, lines: text.lines)
    }
}

extension ActivitySurfaces.Card {
    /// What a push made of its activity; nil if nothing shows it.
    /// - Parameter attributes: Those of the activity, for a push without any.
    package init?(
        _ decision: ActivityDecision, _ payload: JSONValue, attributes: JSONValue?, in context: PolicyContext
    ) {
        guard decision.facts.contains(.isApplied), !decision.facts.contains(.isPending), let id = decision.activity,
            let type = decision.type, let content = payload["aps"]?["content-state"]
        else { return nil }
        let text = ActivityText(
            type: type, attributes: payload["aps"]?["attributes"] ?? attributes ?? [:], content: content,
            app: context.app, device: context.device)
        self.init(
            activity: id, app: decision.bundleID, appName: context.app.displayName, type: type,
            state: decision.facts.contains(.isEnd) ? .ended : .active, title: text.title, lines: text.lines)
        if context.device.isLocked, !context.device.showsActivitiesWhenLocked { self = greyed }
    }
}

extension [LiveActivity] {
    fileprivate var lastAlerted: LiveActivity? {
        filter { $0.alertedAt != nil }.max { $0.alertedAt ?? $0.startedAt < $1.alertedAt ?? $1.startedAt }
    }
}
