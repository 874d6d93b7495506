import Lint
import TestSupport

@testable import DeviceModel

/// Communication notifications as an extension returns them.
extension LintRow {
    static let communication: [LintRow] = [
        .found("comm.capability", "S0-38 no entitlement", at: "communication", alert(), chat { $0.entitlements = [] }),
        .passed("comm.capability", "S0-38 the entitlement", alert(), chat()),
        .passed("comm.capability", "S0-38 no people", alert()) { $0.app?.entitlements = [] },
        .found(
            "comm.activityTypes", "S0-38 not declared", at: "communication", alert(), chat { $0.userActivityTypes = [] }
        ),
        .found(
            "comm.activityTypes", "S0-38 another intent is declared", at: "communication", alert(),
            chat { $0.userActivityTypes = ["INStartCallIntent"] }),
        .passed("comm.activityTypes", "S0-38 NSUserActivityTypes", alert(), chat()),
        .passed(
            "comm.activityTypes", "S0-38 an Intents extension", alert(),
            chat { ($0.userActivityTypes, $0.supportedIntents) = ([], ["INSendMessageIntent"]) }),
        .found("comm.threadId.missing", "E.1 no thread", at: "aps.thread-id", alert(), chat()),
        .passed("comm.threadId.missing", "E.1 a thread", alert(aps: #""thread-id":"chat-1""#), chat()),
        .passed(
            "comm.threadId.missing", "E.1 calls are not stacked", alert(), chat(people: { $0.intent = .startCall })),
        .found(
            "comm.conversationId.missing", "E.1 no conversation", at: "communication.conversationIdentifier", alert(),
            chat(people: { $0.conversationIdentifier = nil })),
        .passed("comm.conversationId.missing", "E.1 a conversation", alert(), chat()),
        .found(
            "comm.person.incomplete", "S0-40 no image", at: "communication.sender", alert(),
            chat(people: { $0.sender.imageDigest = nil })),
        .found(
            "comm.person.incomplete", "S0-40 a recipient", at: "communication.recipients[1]", alert(),
            chat(people: { $0.recipients = [$0.sender, .named("Bob")] })),
        .found(
            "comm.person.incomplete", "S0-40 the second in a call", at: "communication.contacts[1]", alert(),
            chat(people: { ($0.intent, $0.recipients) = (.startCall, [.named("Bob")]) })),
        .passed("comm.person.incomplete", "S0-40 everything", alert(), chat()),
        .passed(
            "comm.person.incomplete", "S0-40 nobody need describe the holder", alert(),
            chat(people: { $0.recipients = [.named("Me", isMe: true)] })),
        .found(
            "comm.recipients.includesMe", "E.2 the person who holds the device", at: "communication.recipients[0]",
            alert(), chat(people: { $0.recipients = [.named("Me", isMe: true)] })),
        .passed(
            "comm.recipients.includesMe", "E.2 somebody else", alert(),
            chat(people: { $0.recipients = [.named("Bob")] })),
        .found(
            "comm.group.noRecipients", "E.2 a name alone", at: "communication.speakableGroupName", alert(),
            chat(people: { $0.groupName = "Team" })),
        .passed(
            "comm.group.noRecipients", "E.2 a group", alert(),
            chat(people: { ($0.groupName, $0.recipients) = ("Team", [.named("Bob")]) })),
        .passed(
            "comm.group.noRecipients", "E.5 a count", alert(),
            chat(people: { ($0.groupName, $0.recipientCount) = ("Team", 4) })),
    ]

    /// A person with a name, an identifier, a picture and an address.
    static let neko = Person.with {
        ($0.displayName, $0.customIdentifier, $0.imageDigest) = ("Neko", "neko", "00")
        $0.handle = .init(value: "neko@neko.example", type: .emailAddress)
    }

    /// A message from Neko, in an app with the entitlement.
    private static func chat(
        _ edit: @escaping @Sendable (inout App) -> Void = { _ in },
        people: @escaping @Sendable (inout CommunicationContext) -> Void = { _ in }
    ) -> @Sendable (inout LintSubject) -> Void {
        { subject in
            var context = CommunicationContext.with { ($0.sender, $0.conversationIdentifier) = (neko, "chat-1") }
            people(&context)
            subject.content.communication = context
            subject.isCommunication = true
            subject.app?.entitlements = [Entitlement.communication.rawValue]
            subject.app?.userActivityTypes = ["INSendMessageIntent"]
            if var app = subject.app {
                edit(&app)
                subject.app = app
            }
        }
    }
}
