package import DeviceModel
package import JSON
package import Time

/// Siri's state on a device: donations, suggestions and calendar events; empty on most devices.
package struct SiriState: Equatable, Codable, Sendable {
    package var donations = DonationStore()
    package var suggestions = SuggestionTable()
    package var calendar = CalendarTable()

    package init() {}

    /// Without history: what a reset that keeps devices retains.
    package var settings: SiriState {
        var state = SiriState()
        state.calendar = calendar.withoutItems
        return state
    }

    package var isEmpty: Bool { self == SiriState() }

    /// Numbers that inputs add to.
    package var sums: [(name: String, value: Int)] { donations.sums + calendar.sums }

    /// The next instant after `now` at which time changes something; nil for never.
    package func due(after now: Instant) -> Instant? {
        Instant.earlier(suggestions.nextChange, calendar.due(after: now))
    }

    /// Applies everything due at `now` or before.
    package mutating func advance(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        calendar.advance(context, &effects)
        refresh(context, &effects)
    }

    /// `refresh` follows if the device is on.
    package mutating func setBack(_ clock: ClockReturn, _ context: DeviceContext) {
        suggestions.setBack(clock)
        calendar.setBack(clock, context)
    }

    package func has(_ bundleID: String) -> Bool {
        donations.entries.contains { $0.app == bundleID } || donations.shortcuts[bundleID] != nil
            || donations.media[bundleID] != nil
            || calendar.items.contains { $0.isDonatedHere && $0.source.app == bundleID }
    }

    /// Removes everything of an app (F.1).
    package mutating func uninstall(_ bundleID: String, _ context: DeviceContext) {
        donations.uninstall(bundleID)
        suggestions.uninstall(bundleID)
        calendar.uninstall(bundleID, context)
    }

    /// Compares the suggestions with the previous ones and reports the difference. Called after every input.
    package mutating func refresh(_ context: DeviceContext, _ effects: inout DeviceEffects) {
        suggestions.refresh(donations, reservations(context), context, &effects)
    }

    /// The reservations' current suggestions, except dismissed ones.
    func reservations(_ context: DeviceContext) -> [Suggestion] {
        calendar.suggestions(context).map { Suggestion($0) }.filter { !suggestions.isHandled($0.id, context) }
    }

    /// Stores a donation and takes its reservations.
    ///
    /// - Parameter state: Where the app's code ran.
    mutating func donate(
        _ donation: Donation, by bundleID: String, in state: DonationEntry.AppState, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        let reservations = try donation.checkedReservations
        let entry = DonationEntry(donation, by: bundleID, in: state, wokeAt: suggestions.wokeAt, context)
        donations.append(entry)
        effects.emit(.donation, app: bundleID, entry.details)
        guard let reservations else { return }
        calendar.take(
            reservations, from: .app(bundleID), isForeground: state == .foreground, context, &effects)
    }
}

/// Acts of the person on a suggestion.
package enum SuggestionChoice: String, Sendable { case run, accept, dismiss }

/// Actions that the device performs for the person.
package enum SuggestionOutcome: Hashable, Sendable {
    case nothing
    /// Opens the app with the intent, or runs it in the background.
    case launch(app: String, JSONValue, inBackground: Bool)
    case allow(person: String, focus: String)
    case addWidget(app: String, kind: String, JSONValue)
    /// Opens the app or page of a reservation.
    case open(CalendarLaunch)
    /// Turns on the Do Not Disturb Focus.
    case doNotDisturb(until: Instant)
}

extension SiriState {
    /// - Parameter id: Of a suggestion on any surface.
    package func outcome(
        of choice: SuggestionChoice, about id: String, _ context: DeviceContext
    ) throws(DeviceError) -> SuggestionOutcome {
        let scene = SuggestionScene(self, context)
        let all = SuggestionSurface.allCases.lazy.flatMap { scene.suggestions(on: $0) }
        guard let suggestion = all.first(where: { $0.id == id }) else {
            throw DeviceError(
                .missing, "there is no suggestion \"\(id.prefix(200))\" now; GET …/suggestions lists them")
        }
        if choice != .dismiss, let outcome = try calendar.outcome(of: choice, about: id, context) { return outcome }
        return try suggestion.outcome(of: choice, context)
    }

    /// - Returns: The suggestion to allow in the active Focus.
    package mutating func offer(
        _ person: PersonMatch, named name: String, by app: String, _ context: DeviceContext
    ) -> FocusOffer? {
        suggestions.offer(person, named: name, by: app, donations, context)
    }
}

extension Suggestion {
    private var choices: [SuggestionChoice] {
        switch kind {
        case .action, .media, .conversation, .rotation, .checkIn, .timeToLeave, .maps: [.run, .dismiss]
        case .widget: [.run, .accept, .dismiss]
        case .focusPerson, .doNotDisturb: [.accept, .dismiss]
        }
    }

    fileprivate func outcome(
        of choice: SuggestionChoice, _ context: DeviceContext
    ) throws(DeviceError) -> SuggestionOutcome {
        guard choices.contains(choice) else {
            let known = choices.map { $0.rawValue + "Suggestion" }.joined(separator: ", ")
            throw DeviceError(
                .invalid,
                "a suggestion of kind \(kind.rawValue) has no \(choice.rawValue)Suggestion; accepted: \(known)")
        }
        switch (choice, kind) {
        case (.dismiss, _): return .nothing
        case (.accept, .focusPerson): return .allow(person: person ?? "", focus: focus ?? "")
        case (.accept, _): return .addWidget(app: app, kind: widgetKind ?? "", intent ?? .null)
        case (.run, _):
            let intent = intent ?? .null
            return .launch(app: app, intent, inBackground: context.app(app).runsInBackground(intent))
        }
    }
}
