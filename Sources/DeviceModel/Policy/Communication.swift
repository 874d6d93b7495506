/// Whether the notification is somebody's message or call (B.1.4).
enum CommunicationAnswer: String, Sendable, CustomStringConvertible {
    case ordinary = "not a communication notification"
    case communication = "a communication notification"

    var description: String { rawValue }
}

/// What makes a communication notification: an intent, the entitlement and the declaration (S0-38).
let communicationTable = DecisionTable<CommunicationAnswer>(
    stage: "communication",
    rows: [
        .init("communication.noIntent", .ordinary, "seed 0") { _ in
            "did no service extension update the content from an intent?"
        } when: {
            $0.content.communication == nil
        },
        .init("communication.noEntitlement", .ordinary, "seed 0; inferred") {
            "does \($0.app.bundleID) lack the communication entitlement?"
        } when: {
            !$0.standing.isCommunicationEntitled
        },
        .init("communication.undeclared", .ordinary, "seed 0; inferred") {
            "is \($0.intentName) neither in NSUserActivityTypes nor supported by an Intents extension?"
        } when: {
            !$0.isIntentDeclared
        },
        .otherwise("communication.valid", .communication, "seed 0"),
    ])

extension Situation {
    /// The class of the attached intent; empty when there is none.
    var intentName: String { content.communication?.intent.rawValue ?? "" }

    fileprivate var isIntentDeclared: Bool {
        switch content.communication?.intent {
        case .sendMessage: standing.declaresMessages
        case .startCall: standing.declaresCalls
        case nil: false
        }
    }
}
