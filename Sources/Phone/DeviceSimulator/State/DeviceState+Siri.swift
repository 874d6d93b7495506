internal import DeviceModel
internal import JSON
internal import LiveModel
internal import SiriModel

/// Donations, suggestions and the calendar: `SiriState` decides, the device applies.
extension DeviceState {
    /// Adds the reservations of another device of the same person (G.7).
    mutating func merge(_ items: [CalendarItem], changed: [UInt64], at now: Moment) {
        let now = now.notBefore(lastEventAt)
        let before = lastEvent
        carryOut(at: now) { state, context, effects in
            state.siri.calendar.merge(items, changed: changed, context, &effects)
            state.siri.refresh(context, &effects)
        }
        if lastEvent != before { lastEventAt = now.time }
        nextDue = due(after: now)
    }

    /// Updates suggestions, which depend on the device's conditions, place and apps.
    mutating func refreshSuggestions(at now: Moment) {
        // A device that is off suggests nothing; it does when it is on.
        guard hasSiri, conditions.value.isPoweredOn else { return }
        carryOut(at: now) { state, context, effects in state.siri.refresh(context, &effects) }
    }

    mutating func followSiri(from old: DeviceConditions, at now: Moment) {
        if old.focus.activeMode?.kind == .sleep { wake(at: now) }
        guard hasSiri else { return }
        let person = conditions.value.person
        if person != old.person { siri.calendar.changePerson(from: old.person, to: person) }
        carryOut(at: now) { state, context, _ in state.siri.calendar.schedule(context) }
    }

    /// The person begins to use the device.
    mutating func wake(at now: Moment) {
        guard conditions.value.isPoweredOn else { return }
        carryOut(at: now) { state, context, _ in state.siri.suggestions.wake(context) }
    }

    // MARK: Suggestions

    /// A message from somebody whom the person writes to during this Focus (S1-20, E.6).
    mutating func suggestPerson(
        _ person: PersonMatch, named name: String, of bundleID: String, _ sequence: UInt64, at now: Moment
    ) {
        carryOut(at: now, of: sequence) { state, context, effects in
            guard let offer = state.siri.offer(person, named: name, by: bundleID, context) else { return }
            effects.emit(.suggestion, app: bundleID, offer.details)
        }
    }

    mutating func answerSuggestion(
        _ id: String, _ choice: SuggestionChoice, _ act: DeviceAct, at now: Moment
    ) throws(SimulatorError) {
        let outcome: SuggestionOutcome
        let widget: ServiceInput?
        do throws(DeviceError) {
            outcome = try siri.outcome(of: choice, about: id, liveContext(at: now))
            // Nothing may have changed when there is no room for the widget.
            widget = try placing(outcome, at: now)
            if case .doNotDisturb = outcome, !conditions.value.focus.canDoNotDisturb {
                throw DeviceError(
                    .conflict, "the device has no mode of kind dnd and no room for one; delete a mode first")
            }
            if let widget {
                var (services, effects) = (live.services, DeviceEffects())
                try services.reduce(widget, liveContext(at: now), &effects)
            }
        } catch {
            throw .live(error)
        }
        log(.act(act), at: now)
        carryOut(at: now) { state, context, _ in state.siri.suggestions.handle(id, context) }
        switch outcome {
        case .nothing: return
        case .launch(let app, let intent, let inBackground):
            // An app that opens gets a user activity whose type is the intent's class (S1-17).
            let type = intent["activityType"] ?? intent["class"]
            launch(app, isForeground: !inBackground, ["activityType": type, "intent": intent], at: now)
            if !inBackground { changeConditions(at: now) { $0.open(app) } }
        case .allow(let person, let focus):
            guard let mode = conditions.value.focus.modes.firstIndex(where: { $0.id == focus }) else { return }
            changeConditions(at: now) { $0.focus.modes[mode].people.allow(person) }
            emit(.settingsChanged, nil, ["focus": .string(focus), "allowed": .string(person)], at: now)
        case .addWidget: if let widget { try change(.service(widget), at: now) }
        case .open(let launch): open(launch, at: now)
        case .doNotDisturb(let until):
            changeConditions(at: now) { device in
                device.focus.active = device.focus.doNotDisturb()
                device.focus.until = until
            }
        }
    }

    /// Opens an app with a user activity, or a page in Safari (G.6).
    mutating func open(_ target: CalendarLaunch, at now: Moment) {
        let app = target.app ?? "com.apple.mobilesafari"
        launch(app, isForeground: true, target.details, at: now)
        changeConditions(at: now) { $0.open(app) }
    }

    /// The input that adds a widget to the app's; nil for any other outcome.
    private func placing(_ outcome: SuggestionOutcome, at now: Moment) throws(DeviceError) -> ServiceInput? {
        guard case .addWidget(let app, let kind, let intent) = outcome else { return nil }
        var settings = live.services[app].settings
        guard settings.widgets.count < ServiceSettings.placedLimit else {
            throw DeviceError(
                .conflict, "\(app) has \(settings.widgets.count) widgets, which is the limit; remove one first")
        }
        settings.add(kind, intent)
        return .settings(settings, app: app, environment: now.environment(of: app))
    }
}

extension ServiceSettings {
    /// Places a widget in the Smart Stack.
    fileprivate mutating func add(_ kind: String, _ intent: JSONValue) {
        var widget = PlacedSurface()
        let numbers = (1...widgets.count + 1).map { "\(kind)-\($0)" }
        widget.id = numbers.first { id in !widgets.contains { $0.id == id } } ?? kind
        (widget.kind, widget.intent) = (kind, intent)
        widgets.append(widget)
    }
}
