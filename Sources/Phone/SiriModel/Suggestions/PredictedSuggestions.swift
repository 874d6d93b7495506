internal import DeviceModel
internal import Time

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
