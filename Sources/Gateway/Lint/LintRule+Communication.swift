internal import DeviceModel

extension LintRule {
    /// Reported by `ExtensionAnswer`; listed so that they can be silenced.
    static let answers = FindingRule.answers.map { LintRule(rule: $0) }

    /// Rules about the delivered content and the intents of donations.
    static let communication = [
        LintRule(
            "comm.capability", .error, "WWDC21 10091 (S0-38)",
            "without the entitlement the notification is shown as an ordinary one",
            fix: "entitlements: [\(Entitlement.communication.rawValue)]", needs: [.app]
        ) { facts in
            hit(communicationPath, if: facts.content.communication != nil && facts.lacks(.communication))
        },
        LintRule(
            "comm.activityTypes", .error, "WWDC21 10091 (S0-38)",
            "the app declares the intent neither in NSUserActivityTypes nor in an Intents extension,"
                + " so the notification is shown as an ordinary one",
            fix: "userActivityTypes: [INSendMessageIntent]", needs: [.app]
        ) { facts in
            guard let people = facts.content.communication, let app = facts.app else { return [] }
            return hit(communicationPath, people.intent.rawValue, if: !app.declares(people.intent))
        },
        LintRule(
            "comm.threadId.missing", .warning, "doc: Apple engineer, forum 757668",
            "without `thread-id` the messages of a conversation are not stacked; conversationIdentifier is not enough",
            fix: #""thread-id": "chat-1""#
        ) { facts in
            let isMessage = facts.content.communication?.intent == .sendMessage
            return hit(PayloadKey.threadID.path, if: isMessage && facts.content.threadIdentifier.isEmpty)
        },
        people(
            "comm.conversationId.missing", .warning, "doc: INSendMessageIntent",
            "without a conversationIdentifier the conversation is unknown", fix: #"conversationIdentifier: "chat-1""#
        ) { people, path in
            let isMissing = people.intent == .sendMessage && people.conversationIdentifier == nil
            return hit("\(path).conversationIdentifier", if: isMissing)
        },
        people(
            "comm.person.incomplete", .warning, "WWDC21 10091 (S0-40)", "a person needs every parameter",
            fix: "INPerson(personHandle: …, nameComponents: …, displayName: …, image: …, customIdentifier: …)"
        ) { people, path in
            people.others(at: path).compactMap { place, person in
                let missing = person.missing
                return missing.isEmpty ? nil : Hit(path: place, detail: "no \(missing.joined(separator: ", "))")
            }
        },
        people(
            "comm.recipients.includesMe", .info, "doc: Implementing communication notifications; E.2",
            "the device's owner must not be among the recipients", fix: "recipients: [everyone else]"
        ) { people, path in
            people.recipients.enumerated().filter(\.element.isMe).map {
                Hit(path: "\(path).\(people.recipientsName)[\($0.offset + people.recipientsStart)]")
            }
        },
        people(
            "comm.group.noRecipients", .info, "E.2 (RocketChat, pika)",
            "a group name without recipients is not shown",
            fix: "recipients: [someone other than the sender and the device's owner]"
        ) { people, path in hit("\(path).speakableGroupName", if: people.groupName != nil && !people.isGroup) },
    ]

    private static let communicationPath = "communication"

    /// Checks the people of a notification's content and of a donation.
    private static func people(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        _ hits: @escaping @Sendable (CommunicationContext, _ path: String) -> [Hit]
    ) -> LintRule {
        LintRule(
            id, severity, source, sentence, fix: fix,
            push: { facts in facts.content.communication.map { hits($0, communicationPath) } ?? [] },
            donation: { subject in subject.people.map { hits($0, "intent") } ?? [] })
    }
}

extension CommunicationContext {
    /// The contacts after the first are a call's recipients.
    fileprivate var recipientsName: String { intent == .sendMessage ? "recipients" : "contacts" }

    fileprivate var recipientsStart: Int { intent == .sendMessage ? 0 : 1 }

    /// Everybody except the device's owner.
    fileprivate func others(at path: String) -> [(place: String, person: Person)] {
        let from = (place: "\(path).\(intent == .sendMessage ? "sender" : "contacts[0]")", person: sender)
        let to = recipients.enumerated().map {
            (place: "\(path).\(recipientsName)[\($0.offset + recipientsStart)]", person: $0.element)
        }
        return ([from] + to).filter { !$0.person.isMe }
    }
}

extension Person {
    fileprivate var missing: [String] {
        var missing: [String] = []
        if handle == nil { missing.append("handle") }
        if displayName.isEmpty, fullName == nil { missing.append("name") }
        if imageDigest == nil { missing.append("image") }
        if (customIdentifier ?? "").isEmpty { missing.append("customIdentifier") }
        return missing
    }
}
