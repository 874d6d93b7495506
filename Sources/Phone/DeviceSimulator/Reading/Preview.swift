package import APNs
package import DeviceModel
internal import LiveModel
internal import Synchronization
internal import Time

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
            return try rehearsal.receive(usesAnswer: usesAnswer)
        }
    }

    private func rehearse<Result: Sendable>(
        _ subject: PreviewSubject, _ body: (inout Rehearsal) throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        switch subject {
        case .notification(let notification):
            return try store.withLock { _ throws(SimulatorError) in
                var rehearsal = Rehearsal(of: notification)
                return try body(&rehearsal)
            }
        case .push(let push, let use):
            let token = deriveToken(use)
            return try store.withLock { store throws(SimulatorError) in
                let device = try store.device(named: use.device)
                let entry =
                    store.current(for: use).active?.entry
                    ?? RegistrationEntry(use, on: device, token: token, at: push.receivedAt)
                var rehearsal = Rehearsal(of: push, for: entry, store.catalog)
                return try body(&rehearsal)
            }
        }
    }
}

/// A copy of a device with its own catalog, so that changes to it have no effect.
private struct Rehearsal {
    private let push: Push
    private let entry: RegistrationEntry
    private let sequence: UInt64
    private let now: Instant
    private let record: Shared<ExtensionRecord>?
    private let catalog: AppCatalog
    private var state: DeviceState

    init(of push: Push, for entry: RegistrationEntry, _ catalog: AppCatalog) {
        (self.push, self.entry) = (push, entry)
        now = push.receivedAt
        record = nil
        self.catalog = AppCatalog(copying: catalog)
        state = entry.device.state
        state.catalog = self.catalog
        // Local notifications that fire first have smaller numbers.
        state.advance(to: now)
        sequence = self.catalog.lastSequence + 1
    }

    /// The device at the time of the notification's record; members that the record lacks have their present values.
    init(of notification: Notification) {
        let context = notification.context
        (push, entry, sequence) = (notification.push, notification.registration.entry, notification.sequence)
        now = notification.settledAt
        record = notification.extensionRecord.map { Shared($0) }
        catalog = AppCatalog(assumptions: context.assumptions, conditions: context.device)
        catalog.apps = [context.app.bundleID: context.app]
        catalog.channels = entry.device.state.catalog.channels
        state = DeviceState(conditions: catalog.plainConditions, in: catalog)
        // The present ones: the record has no earlier ones.
        state.live = entry.device.state.live
        state.siri = entry.device.state.siri
        state.apps = [notification.appBefore(entry.device.state.app(context.app.bundleID))]
    }

    var circumstances: PreviewInputs {
        PreviewInputs(
            device: state.conditions.value, app: catalog.app(entry.bundleID),
            ownSettings: state.app(entry.bundleID)?.settings?.value)
    }

    /// Changes what `PUT /apps` and `PATCH /devices` would.
    mutating func apply(_ wanted: PreviewInputs) throws(SimulatorError) {
        let current = circumstances
        if wanted.app != current.app {
            if wanted.app.categories != current.app.categories { state.forgetCategories(of: entry.bundleID) }
            catalog.apps[entry.bundleID] = wanted.app
        }
        try state.reduce(.conditions(wanted.device), at: now)
        guard wanted.ownSettings != current.ownSettings else { return }
        try state.reduce(.settings(wanted.ownSettings, app: entry.bundleID), at: now)
    }

    mutating func receive(usesAnswer: Bool) throws(SimulatorError) -> PreviewOutcome {
        let former = state.lastEvent
        let arrival = Arrival(push, for: entry, sequence: sequence, push.digest)
        state.receive(arrival, catalog.context(of: entry.bundleID, on: state), at: now)
        if state.extending.contains(where: { $0.arrival.sequence == sequence }) {
            if usesAnswer, let record {
                try state.reduce(.extended(sequence, record), at: now)
            } else {
                state.skipExtension(of: sequence, at: now)
            }
        }
        guard let place = state.inbox.index(of: sequence) else { throw .noSuchNotification(sequence) }
        let notification = Notification(push, entry.snapshot, state.inbox[place], in: state)
        let events = state.eventLog.entries(after: former).flatMap { EventRecord.eventLog($0).events }
        return PreviewOutcome(
            notification: notification, events: events.filter { $0.notification == sequence })
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
        if item.presentation.contains(.timeSensitivePrompt) { app.isTimeSensitiveIntroduced = false }
        if item.presentation.contains(.provisionalPrompt) { app.isProvisionalIntroduced = false }
        let traits = extensionRecord?.content?.traits ?? push.digest.traits
        if isDecided, let handle = traits.callerHandle {
            app.calls = places.contains(.repeatedCall) ? [handle: settledAt] : nil
        }
        if state == .delivered {
            app.backgroundWakes = nil
            app.complicationCount = nil
        }
        if isDecided, kind == .background || push.digest.traits.isContentAvailable {
            app.isTerminated = !places.contains(.wokeApp)
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
