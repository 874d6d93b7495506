package import DeviceModel
internal import JSON
package import Time

/// The device's suggestions, and the person's responses to them.
package struct SuggestionTable: Equatable, Codable, Sendable {
    /// An action that is suggested now.
    struct Shown: Equatable, Codable, Sendable {
        let id: String
        let app: String
    }

    /// When the person last woke.
    package private(set) var wokeAt: Instant?
    private(set) var shown: [Shown] = []
    /// The local day on which the person ran or dismissed a suggestion, by its id.
    private(set) var handled: [String: Int64] = [:]
    /// Oldest first.
    package private(set) var offers: [FocusOffer] = []
    private(set) var nextChange: Instant?
    private(set) var predicted = Unsaved<PredictedSuggestions>()

    private enum CodingKeys: CodingKey { case wokeAt, shown, handled, offers, nextChange }

    private static let maximumOfferCount = 50

    // MARK: Waking

    /// The person uses the device, or the Sleep Focus ended: the first time on a day counts as waking.
    package mutating func wake(_ context: DeviceContext) {
        guard let calendar = context.device.calendar, context.device.focus.activeMode?.kind != .sleep,
            calendar.minuteOfDay(at: context.now) >= context.assumptions.wakingHour * 60
        else { return }
        if let wokeAt, calendar.day(at: wokeAt) == calendar.day(at: context.now) { return }
        wokeAt = context.now
    }

    mutating func setBack(_ clock: ClockReturn) {
        clock.move(&wokeAt)
        clock.move(&nextChange)
    }

    // MARK: Predictions

    /// Uses the repeated actions of the last input if they are the same now: finding them reads all donations.
    func predictor(_ donations: DonationStore, _ context: DeviceContext) -> Predictor? {
        if let actions = known(donations, context)?.actions, actions.validity.contains(context.now) {
            return Predictor(actions, context)
        }
        return RepeatedActions(donations, wokeAt: wokeAt, handled: { isHandled($0, context) }, context)
            .map { Predictor($0, context) }
    }

    /// Those kept from the last input, if they are the same now.
    func predictions(_ donations: DonationStore, _ context: DeviceContext) -> [Prediction] {
        kept(donations, context)?.predictions ?? predictor(donations, context)?.predictions ?? []
    }

    /// Predictions of the last input that are the same now.
    func kept(_ donations: DonationStore, _ context: DeviceContext) -> PredictedSuggestions? {
        known(donations, context).flatMap { $0.exactness.contains(context.now) ? $0 : nil }
    }

    /// The result of the last input, if nothing but time has changed since.
    private func known(_ donations: DonationStore, _ context: DeviceContext) -> PredictedSuggestions? {
        let inputs = PredictedSuggestions.Inputs(donations, wokeAt, handled, context)
        return predicted.value.flatMap { $0.inputs == inputs ? $0 : nil }
    }

    /// Whether the person ran or dismissed it today.
    func isHandled(_ id: String, _ context: DeviceContext) -> Bool {
        handled[id].map { $0 == context.device.calendar?.day(at: context.now) } ?? false
    }

    /// - Parameter reservations: The reservations' current suggestions.
    mutating func refresh(
        _ donations: DonationStore, _ reservations: [Suggestion], _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) {
        let calendar = context.device.calendar
        let today = calendar?.day(at: context.now)
        handled = handled.filter { $0.value == today }
        offers.removeAll { !$0.isOpen(on: context.device) }
        let predicted = predictedSuggestions(donations, context)
        nextChange = predicted.nextChange
        if let calendar, let today, !handled.isEmpty {
            // What was handled may be suggested again tomorrow.
            nextChange = Instant.earlier(nextChange, calendar.range(of: LocalDate(day: today)).upperBound)
        }
        let suggested = reservations + predicted.suggestions
        let ids = Set(suggested.map(\.id))
        for former in shown where !ids.contains(former.id) {
            effects.emit(.suggestionEnded, app: former.app, ["suggestion": .string(former.id)])
        }
        let known = Set(shown.map(\.id))
        for suggestion in suggested where !known.contains(suggestion.id) {
            effects.emit(
                .suggestion, app: suggestion.app,
                [
                    "kind": .string(suggestion.kind.rawValue), "suggestion": .string(suggestion.id),
                    "title": .string(suggestion.title), "reason": .string(suggestion.reason),
                ])
        }
        shown = suggested.map { Shown(id: $0.id, app: $0.app) }
    }

    /// The previous result while nothing that it depends on has changed.
    private mutating func predictedSuggestions(
        _ donations: DonationStore, _ context: DeviceContext
    ) -> PredictedSuggestions {
        if let known = known(donations, context), known.validity.contains(context.now) { return known }
        let inputs = PredictedSuggestions.Inputs(donations, wokeAt, handled, context)
        let made = PredictedSuggestions(predictor(donations, context), of: inputs, context)
        predicted.value = made
        return made
    }

    // MARK: People for a Focus

    /// A message from a person arrives whom the active Focus silences (S1-20, E.6).
    ///
    /// - Returns: The new suggestion.
    mutating func offer(
        _ person: PersonMatch, named name: String, by app: String, _ donations: DonationStore, _ context: DeviceContext
    ) -> FocusOffer? {
        guard let focus = context.device.focus.activeMode, !focus.people.allows(person.id) else { return nil }
        let strength = donations.strength(of: person, in: focus.id, context)
        let offer = FocusOffer(focus: focus.id, person: person.id, name: name, app: app, strength: strength)
        guard strength >= context.assumptions.focusPersonCount, !offers.contains(where: { $0.id == offer.id }),
            handled[offer.id] == nil
        else { return nil }
        offers.append(offer)
        if offers.count > Self.maximumOfferCount { offers.removeFirst() }
        return offer
    }

    mutating func uninstall(_ app: String) { offers.removeAll { $0.app == app } }

    // MARK: The person's answer

    /// Hides a suggestion for the rest of the day.
    package mutating func handle(_ id: String, _ context: DeviceContext) {
        offers.removeAll { $0.id == id }
        handled[id] = context.device.calendar?.day(at: context.now) ?? 0
    }
}

/// What a predictor suggests, and for how long.
struct PredictedSuggestions: Sendable {
    /// Everything besides time that a prediction depends on.
    struct Inputs: Equatable, Sendable {
        private let lastDonation: UInt64
        private let donationCount: Int
        private let wokeAt: Instant?
        private let handled: [String: Int64]
        private let place: String?
        private let timeZone: String
        private let alwaysShows: Bool
        private let catalogRevision: UInt32

        init(_ donations: DonationStore, _ wokeAt: Instant?, _ handled: [String: Int64], _ context: DeviceContext) {
            (lastDonation, donationCount) = (donations.lastNumber, donations.entries.count)
            (self.wokeAt, self.handled, place) = (wokeAt, handled, context.place.regions.first)
            (timeZone, alwaysShows) = (context.device.timeZone, context.device.alwaysShowsSuggestions)
            catalogRevision = context.catalogRevision
        }
    }

    let inputs: Inputs
    /// nil without donations.
    let actions: RepeatedActions?
    let validity: Range<Instant>
    let suggestions: [Suggestion]
    /// All, with what is missing for the others to be suggested.
    let predictions: [Prediction]
    /// While nothing about them changes.
    let exactness: Range<Instant>
    let nextChange: Instant?

    init(_ predictor: Predictor?, of inputs: Inputs, _ context: DeviceContext) {
        (self.inputs, actions) = (inputs, predictor?.actions)
        let end = predictor?.validUntil ?? .never
        validity = context.now..<max(context.now, end)
        exactness = context.now..<max(context.now, min(end, predictor?.exactUntil ?? end))
        predictions = predictor?.predictions ?? []
        suggestions = predictions.filter { $0.verdict == .suggested }
            .map { Suggestion($0, in: context.app($0.app)) }
        nextChange = predictor?.nextChange
    }
}

/// A cache within a state: states are equal and saved without it.
struct Unsaved<Value: Sendable>: Equatable, Sendable {
    var value: Value?

    static func == (_: Self, _: Self) -> Bool { true }
}
