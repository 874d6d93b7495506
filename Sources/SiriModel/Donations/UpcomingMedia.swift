package import DeviceModel
package import Fields
package import JSON

/// Media that the app expects the person to play next (`INUpcomingMediaManager`).
package struct UpcomingMedia: Hashable, Sendable {
    /// `INPlayMediaIntent`s, in order.
    package var intents: [JSONValue] = []
    /// By `INMediaItemType`.
    package var predictionModes: [String: DonationCall.PredictionMode] = [:]

    package init() {}

    static let limit = 100
}

extension UpcomingMedia: FieldDescribed {
    package static let fields: [Field<UpcomingMedia>] = [
        Field(
            "intents", \.intents, .list(.anyObject, count: (0...limit, "at most \(limit)")),
            "The INPlayMediaIntents, first to last."),
        Field(
            "predictionModes", \.predictionModes, .map(.word(), of: "modes by type of media item"),
            "Whether only these intents are suggested for a type."),
    ]

    package static let checks: [FieldCheck<UpcomingMedia>] = [
        FieldCheck { media in
            media.intents.enumerated().filter { $0.element.intentClass != "INPlayMediaIntent" }.map { index, _ in
                FieldProblem(
                    FieldPath().member("intents").element(index).member("class"), "is not INPlayMediaIntent",
                    "accepted: INPlayMediaIntent")
            }
        }
    ]
}
