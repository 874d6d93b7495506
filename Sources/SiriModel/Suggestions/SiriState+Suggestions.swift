package import APNs
package import DeviceModel
package import JSON
package import LiveModel

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
        of choice: SuggestionChoice, about id: String, _ context: LiveContext
    ) throws(LiveError) -> SuggestionOutcome {
        let scene = SuggestionScene(self, context)
        let all = SuggestionSurface.allCases.lazy.flatMap { scene.suggestions(on: $0) }
        guard let suggestion = all.first(where: { $0.id == id }) else {
            throw LiveError(.missing, "there is no suggestion \"\(id.prefix(200))\" now; GET …/suggestions lists them")
        }
        if choice != .dismiss, let outcome = try calendar.outcome(of: choice, about: id, context) { return outcome }
        return try suggestion.outcome(of: choice, context)
    }

    /// - Returns: The suggestion to allow in the active Focus.
    package mutating func offer(
        _ person: PersonMatch, named name: String, by app: String, _ context: LiveContext
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
        of choice: SuggestionChoice, _ context: LiveContext
    ) throws(LiveError) -> SuggestionOutcome {
        guard choices.contains(choice) else {
            let known = choices.map { $0.rawValue + "Suggestion" }.joined(separator: ", ")
            throw LiveError(
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
