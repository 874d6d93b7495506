internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import JSON
internal import Lint

/// Notifications on their way to JSON; looks each connection up once.
struct NotificationView {
    let gateway: Gateway
    /// Names of rules that report nothing.
    let silenced: Set<String>
    private var connections: [UInt32: ConnectionFacts?] = [:]

    init(gateway: Gateway, silencing silenced: Set<String>) {
        self.gateway = gateway
        self.silenced = silenced
    }

    /// A notification in a list.
    mutating func summary(_ notification: Notification) -> JSONValue {
        summary(notification, notification.content, findings: findings(notification, isAlone: false))
    }

    func summary(
        _ notification: Notification, _ content: NotificationContent, findings: [Finding]
    ) -> JSONValue {
        let push = notification.push
        return [
            "id": .integer(notification.sequence),
            "identifier": .string(notification.identifier),
            "device": .string(notification.device),
            "topic": .string(notification.registration.topic),
            "token": .string(notification.registration.token.hex),
            "environment": .string(push.environment.rawValue),
            "state": .string(notification.state.name),
            "discardReason": notification.state.discardReason.map { .string($0.name) },
            "holdReason": notification.state.holdReason.map { .string($0.name) },
            "timing": notification.outcome.map { .string($0.timing.name) },
            "level": notification.outcome.map { .string($0.level.rawValue) },
            "places": notification.outcome.map { _ in .strings(notification.places.names) },
            "receivedAt": .time(push.receivedAt),
            "settledAt": .time(notification.settledAt),
            "apnsId": .string(push.apnsIDText),
            "apnsUniqueId": .string(push.uniqueID.text(.lower)),
            "pushType": push.pushType.map { .string($0.name) },
            "priority": .integer(push.priority.rawValue),
            "expiration": Self.expiration(push.expiration),
            "collapseId": push.collapseID.map { .string($0) },
            "isCommunication": notification.outcome.map { .bool($0.isCommunication) },
            "sender": notification.outcome?.isCommunication == true
                ? .nonEmpty(content.communication?.sender.shownName ?? "") : nil,
            "title": .nonEmpty(content.title),
            "subtitle": .nonEmpty(content.subtitle),
            "body": .nonEmpty(content.body),
            "badge": content.badge.map { .integer($0) },
            "sound": content.sound.map { .string($0.name) },
            "findingCount": .integer(findings.count),
        ]
    }

    /// What a person should know about a notification.
    ///
    /// - Parameter isAlone: Whether there is time to compare it with the pushes before it, as in a list there is not.
    mutating func findings(_ notification: Notification, isAlone: Bool) -> [Finding] {
        let push = notification.push
        let beside = facts(of: push).map { RequestFindings.findings(for: $0) } ?? []
        let subject = LintSubject(notification, in: gateway, hasHistory: isAlone)
        let run = notification.extensionRecord?.run
        let request = beside + RequestFindings.findings(for: push, subject.content) + (run?.findings ?? [])
        let told = Lint.findings(for: subject, silencing: silenced)
        return request.filter { !silenced.contains($0.id) } + told
            + findings(on: run?.donations ?? [], besides: told, on: subject.content.communication)
    }

    /// What there is to say about donations of one run, each once, but for what was said about the content of the same intent.
    private func findings(
        on donations: [Donation], besides told: [Finding], on context: CommunicationContext?
    ) -> [Finding] {
        var findings: [Finding] = []
        for (index, donation) in donations.enumerated() {
            let subject = DonationSubject(donation, from: .extension, recent: Array(donations[..<index]))
            let isContents = context.map { donation.tells(of: $0) } ?? false
            for finding in Lint.findings(for: subject, silencing: silenced) where !findings.contains(finding) {
                let isTold = isContents && told.contains { $0.id == finding.id && $0.message == finding.message }
                if !isTold { findings.append(finding) }
            }
        }
        return findings
    }

    /// What is known of the connection that a push came on. A connection that was opened after the push has only its number
    /// in common with it: the push came with a state that was loaded, or before a restart.
    private mutating func facts(of push: Push) -> ConnectionFacts? {
        let facts = connections[push.connection] ?? gateway.connection(push.connection)?.facts
        connections[push.connection] = .some(facts)
        guard let facts, facts.openedAt <= push.receivedAt else { return nil }
        return facts
    }

    /// Seconds since 1970, as in the header.
    private static func expiration(_ expiration: Expiration) -> JSONValue? {
        switch expiration {
        case .unspecified: nil
        case .immediate: .integer(0)
        case .at(let instant): .integer(instant.milliseconds / 1000)
        }
    }
}

extension NotificationSound {
    /// The file, or `default`.
    fileprivate var name: String {
        switch self {
        case .default: "default"
        case .named(let name), .critical(let name, _): name
        }
    }
}
