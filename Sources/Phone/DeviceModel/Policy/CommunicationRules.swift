/// Whether it is a communication notification (B.1.4).
enum CommunicationAnswer: String, PolicyAnswer {
    case ordinary = "not a communication notification"
    case communication = "a communication notification"
}

/// Requires an intent, the entitlement and the declaration (S0-38).
let communicationTable = DecisionTable<Situation, CommunicationAnswer>(
    stage: "communication",
    rows: [
        .init("communication.noIntent", .ordinary, "WWDC21 10091")
            .asks("did no service extension update the content from an intent?", unless: [.hasIntent]),
        .init("communication.noEntitlement", .ordinary, "WWDC21 10091; inferred")
            .asks({ "does \($0.bundleID) lack the communication entitlement?" }, unless: [.isCommunicationEntitled]),
        .init("communication.undeclared", .ordinary, "WWDC21 10091; inferred")
            .asks(
                { "is \($0.intentName) neither in NSUserActivityTypes nor supported by an Intents extension?" },
                unless: [.isIntentDeclared]),
        .otherwise("communication.valid", .communication, "WWDC21 10091"),
    ])

extension Subject {
    fileprivate var intentName: String { inputs.content.communication?.intent.rawValue ?? "the intent" }
}
