internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway

/// Notifications on their way to JSON; looks each connection up once.
struct NotificationView {
    let gateway: Gateway
    private var connections: [UInt32: ConnectionFacts?] = [:]

    init(gateway: Gateway) { self.gateway = gateway }

    /// A notification in a list.
    mutating func summary(_ notification: Notification) -> JSONTree {
        let decoded = notification.decoded
        return summary(notification, decoded.content, findings: findings(notification, decoded))
    }

    /// Everything about a notification.
    mutating func detail(_ notification: Notification) throws -> JSONTree {
        let decoded = notification.decoded
        let push = notification.push
        let findings = findings(notification, decoded)
        let request: JSONTree = [
            "headers": .headers(push.request.fields(token: notification.registration.token)),
            "payload": .value(push.payload),
        ]
        return summary(notification, decoded.content, findings: findings).adding([
            "request": request.adding(.payload(push.payload)).adding(["connection": .integer(push.connection)]),
            "content": try JSONTree(encoding: decoded.content),
            "findings": .array(findings.map { JSONTree($0) }),
            "timeline": .array(timeline(of: notification)),
        ])
    }

    /// What happened to a notification, from the gateway's answer on.
    private func timeline(of notification: Notification) -> [JSONTree] {
        let query = EventQuery(device: notification.device, notification: notification.sequence, limit: 1000)
        let accepted: JSONTree = ["at": .time(notification.push.receivedAt), "event": .string("accepted")]
        return [accepted] + gateway.simulator.events(query).events.map { JSONTree($0) }
    }

    private func summary(
        _ notification: Notification, _ content: NotificationContent, findings: [Finding]
    ) -> JSONTree {
        let push = notification.push
        return [
            "id": .integer(notification.sequence),
            "device": .string(notification.device),
            "topic": .string(notification.registration.topic),
            "token": .string(notification.registration.token.hex),
            "environment": .string(push.environment.rawValue),
            "state": .string(notification.state.name),
            "discardReason": notification.state.discardReason.map { .string($0.name) },
            "receivedAt": .time(push.receivedAt),
            "settledAt": .time(notification.settledAt),
            "apnsId": .string(push.apnsIDText),
            "apnsUniqueId": .string(push.uniqueID.text(.lower)),
            "pushType": push.pushType.map { .string($0.name) },
            "priority": .integer(push.priority.rawValue),
            "expiration": Self.expiration(push.expiration),
            "collapseId": push.collapseID.map { .string($0) },
            "title": .nonEmpty(content.title),
            "subtitle": .nonEmpty(content.subtitle),
            "body": .nonEmpty(content.body),
            "badge": content.badge.map { .integer($0) },
            "sound": content.sound.map { .string($0.name) },
            "findingCount": .integer(findings.count),
        ]
    }

    private mutating func findings(_ notification: Notification, _ decoded: DecodedPayload) -> [Finding] {
        let push = notification.push
        let beside = facts(of: push.connection).map { RequestFindings.findings(for: $0) } ?? []
        return beside + RequestFindings.findings(for: push, decoded.content) + decoded.findings
    }

    private mutating func facts(of connection: UInt32) -> ConnectionFacts? {
        if let known = connections[connection] { return known }
        let facts = gateway.connection(connection)?.facts
        connections[connection] = .some(facts)
        return facts
    }

    /// Seconds since 1970, as in the header.
    private static func expiration(_ expiration: Expiration) -> JSONTree? {
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
