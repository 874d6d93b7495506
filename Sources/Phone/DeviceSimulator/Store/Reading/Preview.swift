package import APNs
package import DeviceModel
internal import LiveModel
internal import Synchronization

/// A push to preview: its outcome without its effects.
package enum PreviewSubject: Sendable {
    /// With the inputs of its decision.
    case notification(Notification)
    /// With the device's present inputs.
    case push(Push, for: TokenRequest)
}

/// The policy inputs that a preview can change.
package struct PreviewInputs: Sendable {
    package var device: DeviceConditions
    package var app: App
    /// nil when the app's own settings apply.
    package var ownSettings: NotificationSettings?

    package var settings: NotificationSettings { ownSettings ?? app.settings }
}

package struct PreviewOutcome: Sendable {
    package var notification: Notification
    /// Events of the notification other than its delivery, such as its storage.
    package var events: [DeviceEvent]
}

extension DeviceSimulator {
    package func circumstances(of subject: PreviewSubject) throws(SimulatorError) -> PreviewInputs {
        try rehearse(subject) { rehearsal throws(SimulatorError) in rehearsal.circumstances }
    }

    /// Delivers the push to a copy of its device; the device, the log and all counts stay as they are.
    ///
    /// - Parameter usesAnswer: Deliver the recorded answer of the service extension, if it would be called.
    ///   No extension runs.
    package func preview(
        _ subject: PreviewSubject, in circumstances: PreviewInputs, usesAnswer: Bool
    ) throws(SimulatorError) -> PreviewOutcome {
        try rehearse(subject) { rehearsal throws(SimulatorError) in
            try rehearsal.apply(circumstances)
            return try rehearsal.deliver(usesAnswer: usesAnswer)
        }
    }

    private func rehearse<Result: Sendable>(
        _ subject: PreviewSubject, _ body: (inout Rehearsal) throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        switch subject {
        case .notification(let notification):
            return try store.withLock { store throws(SimulatorError) in
                var rehearsal = Rehearsal(of: notification, store)
                return try body(&rehearsal)
            }
        case .push(let push, let use):
            let token = deriveToken(use)
            return try store.withLock { store throws(SimulatorError) in
                let device = try store.device(named: use.device)
                let entry =
                    store.current(for: use).active?.entry
                    ?? RegistrationEntry(use, on: device, token: token, at: push.receivedAt)
                var rehearsal = Rehearsal(of: push, for: entry, store)
                return try body(&rehearsal)
            }
        }
    }
}

/// A copy of a device and of the catalog.
private struct Rehearsal {
    private let push: Push
    private let entry: RegistrationEntry
    private let record: Shared<ExtensionRecord>?
    /// Its catalog changes as `PUT /apps` would change it.
    private var now: Moment
    private var state: DeviceState

    init(of push: Push, for entry: RegistrationEntry, _ store: SimulatorState) {
        (self.push, self.entry) = (push, entry)
        record = nil
        now = store.moment(of: entry.device, at: push.receivedAt)
        state = entry.device.state
        state.advance(to: now)
    }

    /// The device at the time of the notification's record; members that the record lacks have their present values.
    init(of notification: Notification, _ store: SimulatorState) {
        let context = notification.context
        (push, entry) = (notification.push, notification.registration.entry)
        record = notification.extensionRecord.map { Shared($0) }
        var catalog = AppCatalog(
            assumptions: context.assumptions, conditions: context.device, channels: store.channels)
        catalog.apps = [context.app.bundleID: context.app]
        now = Moment(
            time: notification.settledAt, catalog: catalog, tokens: DeviceTokens(entry.device, presentsLocal: false),
            lastSequence: notification.sequence - 1, isFollowed: false)
        state = DeviceState(conditions: catalog.plainConditions)
        // The present ones: with the records of their decisions, they decide again as they did.
        state.live = entry.device.state.live
        state.siri = entry.device.state.siri
        state.apps = [notification.appBefore(entry.device.state.app(context.app.bundleID))]
    }

    var circumstances: PreviewInputs {
        PreviewInputs(
            device: state.conditions.value, app: now.catalog.app(entry.bundleID),
            ownSettings: state.app(entry.bundleID)?.settings?.value)
    }

    /// Changes what `PUT /apps` and `PATCH /devices` would.
    mutating func apply(_ wanted: PreviewInputs) throws(SimulatorError) {
        let current = circumstances
        if wanted.app != current.app {
            if wanted.app.categories != current.app.categories { state.forgetCategories(of: entry.bundleID) }
            now.catalog.apps[entry.bundleID] = wanted.app
        }
        try state.reduce(.conditions(wanted.device), at: now)
        guard wanted.ownSettings != current.ownSettings else { return }
        try state.reduce(.settings(wanted.ownSettings, app: entry.bundleID), at: now)
    }

    mutating func deliver(usesAnswer: Bool) throws(SimulatorError) -> PreviewOutcome {
        let former = state.lastEvent
        // Local notifications that fired first have smaller numbers.
        let sequence = state.effects.lastSequence(after: now.lastSequence) + 1
        now.lastSequence = sequence
        let arrival = Arrival(push, for: entry, sequence: sequence, push.digest)
        state.receive(
            arrival, now.catalog.context(of: entry.bundleID, on: state), at: now.notBefore(state.lastEventAt))
        if state.extending.contains(where: { $0.arrival.sequence == sequence }) {
            if usesAnswer, let record {
                try state.reduce(.extended(sequence, record), at: now)
            } else {
                state.skipExtension(of: sequence, at: now)
            }
        }
        guard let index = state.inbox.index(of: sequence) else { throw .noSuchNotification(sequence) }
        state.forgetRecords(of: state.inbox[index])
        let notification = Notification(push, entry.snapshot, state.inbox[index], in: state)
        let events = state.eventLog.entries(after: former).flatMap { EventRecord.eventLog($0).events }
        return PreviewOutcome(
            notification: notification, events: events.filter { $0.notification == sequence })
    }
}

extension DeviceState {
    /// Forgets the records of former decisions about a push that a preview stores or discards before a decision.
    fileprivate mutating func forgetRecords(of item: InboxEntry) {
        let (service, activity) = liveResults(of: item.sequence)
        let reasons = [service?.verdict.discardReason, activity?.reason].compactMap(\.self)
        guard hasLive, item.state.isWaiting || item.state.discardReason.map({ !reasons.contains($0) }) == true else {
            return
        }
        live.services.forget(item.sequence)
        live.activities.forget(item.sequence)
    }
}

extension Notification {
    /// The app's state on the device before this notification.
    ///
    /// - Parameter now: its state now, for everything that the record lacks.
    fileprivate func appBefore(_ now: AppState?) -> AppState {
        var app = now ?? AppState(bundleID: context.app.bundleID)
        let isDecided = state == .delivered || state == .discarded(.disabled)
        app.settings = context.settings == context.app.settings ? nil : Shared(context.settings)
        app.categories = nil
        app.ephemeralUntil = nil
        // An app that was uninstalled since would ask again.
        if state == .delivered, !item.presentation.isDisjoint(with: .surfaces) {
            let (level, timing) = (item.level, item.timing)
            if level == .timeSensitive, timing == .now {
                app.isTimeSensitiveIntroduced = !item.presentation.contains(.timeSensitivePrompt)
            }
            if timing == .quiet { app.isProvisionalIntroduced = !item.presentation.contains(.provisionalPrompt) }
        }
        let traits = extensionRecord?.content?.traits ?? push.digest.traits
        if isDecided, let handle = traits.callerHandle {
            app.calls = places.contains(.repeatedCall) ? [handle: settledAt] : nil
        }
        if state == .delivered {
            let earlier = (item.wakeNumber ?? 1) - 1
            app.backgroundWakes = earlier == 0 ? nil : Array(repeating: settledAt, count: earlier)
            app.complicationCount = nil
        }
        if isDecided, kind == .background || push.digest.traits.isContentAvailable {
            app.isTerminated = !places.contains(.wokeApp) && !context.device.isForeground(context.app.bundleID)
        }
        if state == .discarded(.appTerminated) { app.isTerminated = true }
        if state == .stored(.backgroundBudget) {
            app.isTerminated = false
            app.backgroundWakes = Array(repeating: settledAt, count: context.assumptions.backgroundBudget)
        }
        if state == .discarded(.budgetExceeded) {
            app.complicationDay = context.device.day(at: settledAt)
            app.complicationCount = context.assumptions.complicationBudget
        }
        return app
    }
}
