internal import DeviceModel
internal import JSON
internal import LiveModel
internal import SiriModel

extension DeviceState {
    /// Throws before it changes anything.
    mutating func handle(_ act: DeviceAct, at now: Moment) throws(SimulatorError) {
        switch act {
        case .lock: apply(act, at: now) { $0.lock() }
        case .unlock:
            apply(act, at: now) { $0.unlock() }
            wake(at: now)
        case .wake:
            apply(act, at: now) { $0.isScreenOn = true }
            wake(at: now)
        case .open(let app):
            log(.act(act), at: now)
            if let app { launch(app, isForeground: true, at: now) }
            changeConditions(at: now) { $0.open(app) }
            wake(at: now)
        case .terminate(let app):
            apply(act, at: now) { if $0.foregroundApp == app { $0.foregroundApp = nil } }
            apps[appIndex(app)].isTerminated = true
            if hasLive { carryOut(at: now) { state, _, effects in state.live.services.terminate(app, &effects) } }
            // Discards the background pushes that the device holds for it.
            if !stored.isEmpty { deliverStored(at: now) }
        case .restart:
            apply(act, at: now) { $0.shutDown() }
            // Terminated apps can be woken again (doc: application(_:didReceiveRemoteNotification:…)).
            for app in apps.indices { apps[app].isTerminated = false }
            if hasLive { carryOut(at: now) { state, _, effects in state.live.services.endAll(.restarted, &effects) } }
        case .switchFocus(let id):
            let modes = conditions.value.focus.modes.map(\.id)
            if let id, !modes.contains(id) { throw .unknownFocus(id, known: modes) }
            apply(act, at: now) { $0.focus.active = id }
        case .uninstall(let app): uninstall(app, act, at: now)
        case .tap(let notification):
            let index = try visible(notification)
            log(.act(act), at: now)
            respond(index, Response(), .opened, at: now)
        case .dismiss(let notification):
            let index = try visible(notification)
            log(.act(act), at: now)
            dismiss(index, .dismissed, at: now)
        case .clear(let app):
            log(.act(act), at: now)
            let places = inbox.indices.filter { index in
                inbox[index].places.isListed && (app ?? inbox[index].bundleID) == inbox[index].bundleID
            }
            for index in places { dismiss(index, .cleared, at: now) }
        case .perform(let action, let text, let notification):
            let index = try visible(notification)
            let response = try response(to: index, action, text)
            log(.act(act), at: now)
            respond(index, response, .acted, at: now)
        case .confirmContact(let notification): try confirmContact(try visible(notification), act, at: now)
        case .answer(let choice, let app): try answer(choice, of: app, act, at: now)
        case .runSuggestion(let id): try answerSuggestion(id, .run, act, at: now)
        case .acceptSuggestion(let id): try answerSuggestion(id, .accept, act, at: now)
        case .dismissSuggestion(let id): try answerSuggestion(id, .dismiss, act, at: now)
        case .setBadge(let count, let app): try setBadge(count, of: app, act, at: now)
        case .removeDelivered(let identifiers, let app): removeDelivered(identifiers, of: app, act, at: now)
        case .removeAllDelivered(let app): removeDelivered(nil, of: app, act, at: now)
        case .setCategories(let categories, let app): setCategories(categories, of: app, at: now)
        }
    }

    // MARK: Conditions

    /// Logs an act and changes the conditions as it demands.
    private mutating func apply(_ act: DeviceAct, at now: Moment, _ change: (inout DeviceConditions) -> Void) {
        log(.act(act), at: now)
        changeConditions(at: now, change)
    }

    /// Changes the conditions as the person would.
    mutating func changeConditions(at now: Moment, _ change: (inout DeviceConditions) -> Void) {
        var device = conditions.value
        change(&device)
        setConditions(device, focusCause: "person", at: now)
    }

    /// Called before an app comes to the foreground, which delivers the pushes that the device holds back for it.
    ///
    /// - Parameter more: What the app is launched with.
    mutating func launch(_ bundleID: String, isForeground: Bool, _ more: JSONObject = [:], at now: Moment) {
        if isForeground { limitAppClip(bundleID, isOpened: true, at: now) }
        markLaunched(bundleID)
        var details: JSONObject = ["state": .string(isForeground ? "foreground" : "background")]
        for (name, value) in more { details[name] = value }
        emit(.appLaunch, nil, app: bundleID, details, at: now)
    }

    // MARK: Notifications

    private func visible(_ notification: UInt64) throws(SimulatorError) -> Int {
        guard let index = inbox.index(of: notification) else { throw .noSuchNotification(notification) }
        guard inbox[index].places.isListed || inbox[index].places.contains(.banner) else {
            let state = inbox[index].state.kind.rawValue
            throw .notListed(notification, state: state, inSummary: inbox[index].places.isVisible)
        }
        return index
    }

    func identifier(of index: Int) -> String {
        let sequence = inbox[index].sequence
        return collapsed.first { $0.value == sequence }?.key.identifier ?? Self.generatedIdentifier(sequence)
    }

    static func generatedIdentifier(_ sequence: UInt64) -> String { "push-\(sequence)" }

    /// The app gets a response only if the category has `customDismissAction`.
    private mutating func dismiss(_ index: Int, _ reason: RemovalReason, at now: Moment) {
        if inbox[index].category?.options.contains(.customDismissAction) == true {
            emit(.response, of: index, ["actionIdentifier": .string(ActionIdentifier.dismiss)], at: now)
        }
        remove(index, reason, at: now)
    }

    private struct Response {
        var identifier = ActionIdentifier.default
        var text: String?
        var needsUnlocking = true
        var opensApp = true
    }

    private func response(to index: Int, _ action: String, _ text: String?) throws(SimulatorError) -> Response {
        let actions = inbox[index].category?.actions ?? []
        guard let button = actions.first(where: { $0.identifier == action }) else {
            throw .unknownAction(action, notification: inbox[index].sequence, known: actions.map(\.identifier))
        }
        guard (button.textInput != nil) == (text != nil) else {
            throw .textMismatch(action, takesText: button.textInput != nil)
        }
        return Response(
            identifier: action, text: text,
            needsUnlocking: button.options.contains(.authenticationRequired) || button.options.contains(.foreground),
            opensApp: button.options.contains(.foreground))
    }

    private mutating func respond(_ index: Int, _ response: Response, _ reason: RemovalReason, at now: Moment) {
        let item = inbox[index]
        remove(index, reason, at: now)
        launch(item.bundleID, isForeground: response.opensApp, at: now)
        changeConditions(at: now) { device in
            if response.needsUnlocking { device.unlock() }
            if response.opensApp { device.foregroundApp = item.bundleID }
        }
        let details: JSONObject = [
            "actionIdentifier": .string(response.identifier), "userText": response.text.map { .string($0) },
        ]
        emit(.response, item.sequence, app: item.bundleID, details, at: now)
    }

    // MARK: Apps

    /// Answers the system's prompt about an app (B.1, B.10).
    private mutating func answer(
        _ choice: DeviceAct.PromptChoice, of bundleID: String, _ act: DeviceAct, at now: Moment
    ) throws(SimulatorError) {
        guard let prompt = app(bundleID)?.prompt else { throw .noPrompt(app: bundleID) }
        let choices = prompt.choices(isSummaryOn: conditions.value.summary.isEnabled)
        guard choices.contains(choice) else {
            throw choice == .keepInSummary && prompt == .provisional
                ? .summaryOff : .wrongChoice(choice, prompt, choices)
        }
        log(.act(act), at: now)
        apps[appIndex(bundleID)].prompt = nil
        var settings = settings(of: bundleID, in: now.catalog)
        switch (choice, prompt) {
        case (.leaveOn, _): return
        case (.turnOff, .provisional): settings.authorizationStatus = .denied
        case (.turnOff, _): settings.timeSensitive = .disabled
        case (.keep, _): settings.keepQuietly()
        case (.keepInSummary, _):
            settings.authorizationStatus = .authorized
            settings.scheduledDelivery = .enabled
        }
        emit(.settingsChanged, nil, app: bundleID, ["choice": .string(choice.rawValue)], at: now)
        set(settings, of: bundleID, at: now)
    }
}

/// The response when the person pressed none of the app's buttons (gk).
package enum ActionIdentifier {
    package static let `default` = "com.apple.UNNotificationDefaultActionIdentifier"
    package static let dismiss = "com.apple.UNNotificationDismissActionIdentifier"
}

extension DeviceConditions {
    fileprivate mutating func lock() {
        isLocked = true
        isScreenOn = false
    }

    mutating func unlock() {
        isLocked = false
        isScreenOn = true
        isUnlockedSinceBoot = true
    }

    mutating func open(_ app: String?) {
        unlock()
        foregroundApp = app
    }

    fileprivate mutating func shutDown() {
        lock()
        isUnlockedSinceBoot = false
        foregroundApp = nil
    }

    /// A device that is off shows nothing and starts locked; one that is unlocked has been unlocked since it started.
    mutating func makeConsistent() {
        if !isPoweredOn {
            shutDown()
        } else if !isLocked {
            isUnlockedSinceBoot = true
        }
    }
}

extension NotificationSettings {
    /// Authorized for Notification Center only, as after *Keep* and *Deliver Immediately* (B.1).
    fileprivate mutating func keepQuietly() {
        authorizationStatus = .authorized
        alert = .disabled
        sound = .disabled
        badge = .disabled
        lockScreen = .disabled
        alertStyle = .none
    }
}

/// Suggestions that a notification's sender is a contact (S0-32, E.3).
extension DeviceState {
    /// Suggests the contact with the sender's name if only the name is known.
    mutating func suggestContact(
        _ inputs: InterruptionInputs, _ outcome: InterruptionOutcome, _ sequence: UInt64, at now: Moment
    ) {
        if outcome.timing == .silencedByFocus, hasSiri, let sender = inputs.sender,
            let name = inputs.content.communication?.sender.shownName
        {
            suggestPerson(sender, named: name, of: inputs.context.app.bundleID, sequence, at: now)
        }
        guard outcome.timing != .notAllowed, outcome.timing != .nothingToShow,
            let suggestion = inputs.sender?.suggestion
        else { return }
        emit(.suggestion, sequence, app: suggestion.app, suggestion.details(isConfirmed: false), at: now)
    }

    /// After confirmation, every rule treats the sender as the contact.
    mutating func confirmContact(_ index: Int, _ act: DeviceAct, at now: Moment) throws(SimulatorError) {
        let (item, device) = (inbox[index], conditions.value)
        guard item.places.contains(.communication),
            let sender = extended[item.sequence]?.record?.value.content?.communication?.sender,
            let suggestion = PersonMatch(sender, in: device, bundleID: item.bundleID).suggestion,
            let contact = device.contacts.firstIndex(where: { $0.id == suggestion.contact })
        else { throw .noSuggestion(item.sequence) }
        log(.act(act), at: now)
        changeConditions(at: now) { $0.contacts[contact].people.append(suggestion.person) }
        emit(.suggestion, item.sequence, app: suggestion.app, suggestion.details(isConfirmed: true), at: now)
    }
}

extension ContactAssociation {
    fileprivate func details(isConfirmed: Bool) -> JSONObject {
        [
            "kind": .string("contactAssociation"), "person": .string(person), "name": .string(name),
            "contact": .string(contact), "isConfirmed": .bool(isConfirmed),
        ]
    }
}

/// Calls by which an app changes its notifications on the device.
extension DeviceState {
    /// - Parameter identifiers: nil for all.
    mutating func removeDelivered(
        _ identifiers: [String]?, of bundleID: String, _ act: DeviceAct, at now: Moment
    ) {
        log(.act(act), at: now)
        let wanted = inbox.indices.filter { index in
            inbox[index].bundleID == bundleID && inbox[index].places.isDelivered(now.catalog.assumptions)
                && (identifiers?.contains(identifier(of: index)) ?? true)
        }
        for index in wanted { remove(index, .removedByApp, at: now) }
    }

    mutating func setCategories(_ categories: [NotificationCategory], of bundleID: String, at now: Moment) {
        // An extension may set equal categories with every push; reusing the known ones avoids new policy contexts.
        if let known = app(bundleID)?.categories, known == categories {
            return log(.act(.setCategories(known, app: bundleID)), at: now)
        }
        log(.act(.setCategories(categories, app: bundleID)), at: now)
        apps[appIndex(bundleID)].categories = categories
        revision &+= 1
    }
}

/// The number on an app's icon, set by a push or by the app.
extension DeviceState {
    mutating func setBadge(_ number: BadgeNumber, of bundleID: String, at now: Moment) {
        apps[appIndex(bundleID)].badge = number.count
        if number.removesNotifications { removeAll(of: bundleID, .badgeCleared, at: now) }
    }

    /// Handles the app's call of `setBadgeCount(_:)`.
    mutating func setBadge(
        _ count: Int, of bundleID: String, _ act: DeviceAct, at now: Moment
    ) throws(SimulatorError) {
        guard let number = BadgeNumber(count, now.catalog.assumptions) else { throw .negativeBadge(count) }
        log(.act(act), at: now)
        let settings = settings(of: bundleID, in: now.catalog)
        guard count <= 0 || (settings.allowsAnything && settings.badge == .enabled) else {
            // Clearing a badge needs no permission; without one, the system ignores a number (gk).
            return emit(.diagnostic, nil, app: bundleID, ["reason": .string("badgeNotAllowed")], at: now)
        }
        emit(.badge, nil, app: bundleID, ["count": .integer(number.count)], at: now)
        setBadge(number, of: bundleID, at: now)
    }
}
