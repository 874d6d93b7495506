package import DeviceModel
package import Fields
package import JSON

/// One donation call of an app; one of the last four members is set.
package struct NewDonation: FieldDescribed {
    package var app = ""
    package var appState: DonationEntry.AppState?
    /// `INInteraction`.
    package var interaction: JSONValue?
    package var activity: UserActivity?
    package var relevantShortcuts: [RelevantShortcut]?
    package var upcomingMedia: UpcomingMedia?

    package init() {}

    /// The identifier of an interaction without one is empty: the device names it.
    package var call: DonationCall {
        get throws(FieldError) {
            if let relevantShortcuts { return .setRelevantShortcuts(relevantShortcuts.map(\.json)) }
            if let upcomingMedia { return .setUpcomingMedia(upcomingMedia.json) }
            if let activity { return .donate(activity.donation(named: "")) }
            // An app's pictures are not stored.
            return .donate(try Donation(["interaction": interaction ?? .null], named: "") { _ in nil })
        }
    }

    static let shortcutLimit = 50
    private static let shortcutCount = (range: 0...shortcutLimit, words: "at most \(shortcutLimit)")

    package static let fields: [Field<NewDonation>] = [
        Field("app", \.app, .name, "The bundle identifier.").required,
        Field(
            "appState", \.appState, .optional(.word()), "Where the app's code runs; if absent, as the device has it."),
        Field("interaction", \.interaction, .optional(.anyObject), "An INInteraction with its intent."),
        Field("activity", \.activity, .optional(.object), "An NSUserActivity that became current."),
        Field(
            "relevantShortcuts", \.relevantShortcuts, .optional(.list(.object, count: shortcutCount)),
            "Replaces the app's relevant shortcuts."),
        Field("upcomingMedia", \.upcomingMedia, .optional(.object), "Replaces the app's upcoming media."),
    ]

    package static let checks: [FieldCheck<NewDonation>] = [
        FieldCheck { new in
            let kinds = [
                new.interaction != nil, new.activity != nil, new.relevantShortcuts != nil, new.upcomingMedia != nil,
            ].count { $0 }
            guard kinds != 1 else { return [] }
            let remedy = "accepted: exactly one of interaction, activity, relevantShortcuts and upcomingMedia"
            let problem = kinds == 0 ? "is missing" : "is given with an alternative"
            return [FieldProblem(FieldPath().member("interaction"), problem, remedy)]
        }
    ]
}

/// Media that the app expects the person to play next (`INUpcomingMediaManager`).
package struct UpcomingMedia: FieldDescribed, Hashable {
    /// `INPlayMediaIntent`s, in order.
    package var intents: [JSONValue] = []
    /// By `INMediaItemType`.
    package var predictionModes: [String: DonationCall.PredictionMode] = [:]

    package init() {}

    static let limit = 100
    static let intentClass = "INPlayMediaIntent"

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
            media.intents.enumerated().filter { $0.element.intentClass != intentClass }.map { index, _ in
                FieldProblem(
                    FieldPath().member("intents").element(index).member("class"), "is not INPlayMediaIntent",
                    "accepted: INPlayMediaIntent")
            }
        }
    ]
}
