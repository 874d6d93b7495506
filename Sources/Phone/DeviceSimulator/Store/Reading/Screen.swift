package import DeviceModel
internal import JSON
package import LiveModel
internal import Synchronization
package import Time

/// What the person sees on a device at one moment.
package struct Screen: Sendable {
    package let at: Instant
    package let conditions: DeviceConditions
    package let apps: [AppOnDevice]
    package let activities: ActivitySurfaces
    private let isActivityAlerting: Bool
    /// A call that rings covers the screen.
    package let call: Voice?
    /// Who speaks over Push to Talk.
    package let speaker: Voice?
    package let assumptions: Assumptions
    /// By time shown, newest first, which may differ from the order of receipt.
    private var visible: [Notification]

    /// Empty while the device is unlocked.
    package var lockScreen: [Notification] { visible.filter { $0.places.contains(.lockScreen) } }
    package var notificationCenter: [Notification] { visible.filter { $0.places.contains(.notificationCenter) } }
    package var nextSummary: [Notification] { visible.filter { $0.places.contains(.nextSummary) } }

    fileprivate init(_ device: Device, in store: SimulatorState, at now: Instant) {
        let state = device.state
        (at, conditions, assumptions) = (now, state.conditions.value, store.catalog.assumptions)
        let apps = store.apps(on: device)
        self.apps = apps
        let running = conditions.isPoweredOn ? apps : []
        call = running.lazy.compactMap { Voice(callOf: $0.app, on: state, in: store) }.first
        speaker = running.lazy.compactMap { Voice(speakerOf: $0.app, on: state) }.first
        isActivityAlerting = state.live.activities.isAlerting(at: now)
        activities = state.live.activities.surfaces(state.liveContext(at: store.moment(of: device, at: now)))
        visible = state.inbox.items.filter { $0.places.isVisible || $0.places.contains(.banner) }.compactMap { item in
            store.log[item.sequence].flatMap(Notification.init)
        }
    }

    fileprivate mutating func sort() { visible.sort { $0.item.deliveryEvent > $1.item.deliveryEvent } }
}

extension DeviceSimulator {
    /// Taken under one hold of the lock, so that its parts fit; nil when the device does not exist.
    package func screen(of device: String, at now: Instant) -> Screen? {
        var screen = store.withLock { store in store.devices[device].map { Screen($0, in: store, at: now) } }
        screen?.sort()
        return screen
    }
}

extension Screen {
    /// The result of an app's `getDeliveredNotifications` (I.6), newest first; what waits for the summary comes last.
    package func delivered(to app: String) -> [Notification] {
        let own = visible.filter { $0.context.app.bundleID == app && $0.places.isDelivered(assumptions) }
        return own.filter { !$0.places.contains(.nextSummary) } + own.filter { $0.places.contains(.nextSummary) }
    }

    private func isRecent(_ notification: Notification) -> Bool {
        Presentation.isUp(since: notification.settledAt, at: at)
    }

    /// The banner over the current app; a persistent one stays until the person acts on it.
    package var banner: Notification? {
        guard conditions.isPoweredOn, conditions.isInUse else { return nil }
        return visible.first { notification in
            notification.places.contains(.banner)
                && (notification.outcome?.presentation.contains(.persistentBanner) == true || isRecent(notification))
        }
    }

    /// Whether the person turned it on or an alert just lit it.
    package var isLit: Bool {
        conditions.isScreenOn || call != nil || conditions.isPoweredOn && isActivityAlerting
            || lockScreen.contains { isRecent($0) && $0.outcome?.presentation.contains(.screenLit) == true }
    }

    /// The notifications of delivered summaries that are still there; nil without.
    package func summary(in list: [Notification]) -> (count: Int, featured: [Notification])? {
        let items = Dictionary(list.filter(\.isSummarized).map { ($0.sequence, $0) }) { first, _ in first }
        let card = SummaryCard(of: items.values.map(\.summaryItem), assumptions: assumptions)
        return card.map { (items.count, $0.featured.compactMap { items[$0] }) }
    }

    /// Lists the notifications of the next summary only if the person enabled that, else counts them; nil without summaries.
    package var upcomingSummary: (at: Instant?, count: Int, notifications: [Notification]?)? {
        let summary = conditions.summary
        guard summary.isEnabled else { return nil }
        let waiting = nextSummary
        return (conditions.nextSummary(after: at), waiting.count, summary.showsNext ? waiting : nil)
    }

    /// The number on an app's icon; a Focus may hide it.
    package func badge(of bundleID: String) -> Int {
        guard conditions.focus.activeMode?.hidesBadges != true, let app = app(bundleID), app.settings.allowsAnything,
            app.settings.badge == .enabled
        else { return 0 }
        return app.badge
    }

    private func app(_ bundleID: String) -> AppOnDevice? { apps.first { $0.app.bundleID == bundleID } }

    // MARK: Calls

    package struct Voice: Codable, Sendable {
        package let app: String
        package let appName: String
        /// nil if the app does not say who it is.
        package let name: String?

        private init(_ app: App, _ name: String?) {
            (self.app, appName, self.name) = (app.bundleID, app.displayName, name?.ifAny)
        }

        fileprivate init?(callOf app: App, on state: DeviceState, in store: SimulatorState) {
            guard state.live.services[app.bundleID].settings.call == .ringing else { return nil }
            let pushes = state.inbox.items.reversed().lazy.compactMap { store.log[$0.sequence] }
            let call = pushes.filter { $0.registration?.bundleID == app.bundleID }.compactMap(Notification.init)
                .first { $0.service?.verdict == .delivered(.rings) }
            self.init(app, call?.service?.detail)
        }

        fileprivate init?(speakerOf app: App, on state: DeviceState) {
            guard let speaker = state.live.services[app.bundleID].settings.speaker else { return nil }
            self.init(app, speaker)
        }
    }

    // MARK: Stacks

    /// Notifications that the person sees as one, the newest on top.
    package struct Stack: Sendable {
        package let notifications: [Notification]
        /// The line about the others.
        package let text: String?
    }

    package func stacks(_ newestFirst: [Notification], promotesCommunication: Bool = false) -> [Stack] {
        // The list is in display order, which can differ from sending order.
        var stacks = newestFirst.grouped { notification in
            let bundleID = notification.context.app.bundleID
            return InboxStack.Key(
                app: bundleID, thread: notification.content.threadIdentifier, sequence: notification.sequence,
                grouping: app(bundleID)?.settings.grouping ?? .automatic)
        }
        if promotesCommunication { stacks = InboxStack.promoted(stacks) { $0.outcome?.isCommunication == true } }
        let language = SystemLanguage(locale: conditions.locale)
        return stacks.map { stack in
            let text = InboxStack.text(of: stack, in: language) { $0.category?.summaryFormat }
            return Stack(notifications: stack, text: text?.ifAny)
        }
    }

    /// - Parameter count: Of its stack.
    package func displayed(_ notification: Notification, count: Int = 1) -> DisplayedText {
        let settings = app(notification.context.app.bundleID)?.settings ?? notification.context.settings
        return notification.displayed(on: conditions, settings: settings, count: count)
    }

    // MARK: Prompts

    /// The system's question about an app.
    package struct Question: Codable, Sendable {
        package let app: String
        package let prompt: Prompt
        package let text: String
        package let choices: [DeviceAct.PromptChoice]
    }

    package var questions: [Question] {
        apps.compactMap { app in
            app.prompt.map { prompt in
                Question(
                    app: app.app.bundleID, prompt: prompt,
                    text: prompt.question(about: app.app.displayName.ifAny ?? app.app.bundleID),
                    choices: prompt.choices(isSummaryOn: conditions.summary.isEnabled))
            }
        }
    }
}
