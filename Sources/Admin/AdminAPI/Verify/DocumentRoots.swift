internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Queries
internal import Webhooks

/// What conditions on documents may name, and the values of their closed sets.
extension QueryRoots {
    static let notifications = QueryRoots(
        [
            "id", "identifier", "device", "topic", "origin", "token", "environment", "state", "outcome",
            "discardReason", "holdReason", "timing", "level", "places", "receivedAt", "settledAt", "shownAt",
            "alertReleasedAt", "apnsId", "apnsUniqueId", "pushType", "priority", "expiration", "collapseId",
            "isCommunication", "sender", QueryPath.anyText, "title", "subtitle", "body", "badge", "sound",
            "extensionEnd", "findingCount", "gravestFinding", "payload",
            "headers", "request", "content", "localized", "displayed", "announcement", "suggestion", "extension",
            "presentation", "circumstances", "trace", "decidedBy", "why", "deliveryLog", "findings", "timeline",
        ],
        values: [
            "id": .number, "identifier": .text, "device": .text, "topic": .topic, "origin": .words(["push", "local"]),
            "token": .token, "environment": .words(APNsEnvironment.self), "state": .words(DeliveryState.Kind.self),
            "outcome": .words(PushOutcome.self), "discardReason": .words(DiscardReason.self),
            "holdReason": .words(HoldReason.self), "timing": .words(Timing.self),
            "level": .words(InterruptionLevel.self), "places": .wordList(Places.words.map(\.name)),
            "receivedAt": .time, "settledAt": .time, "shownAt": .time, "alertReleasedAt": .time, "apnsId": .uuid,
            "apnsUniqueId": .uuid, "pushType": .words(PushType.allCases.map(\.name)),
            "priority": .numbers([1...1, 5...5, 10...10]),
            "expiration": .number, "collapseId": .text, "isCommunication": .flag, "sender": .text,
            QueryPath.anyText: .text, "title": .text, "subtitle": .text, "body": .text, "badge": .number,
            "sound": .text, "extensionEnd": .words(ExtensionRun.End.self), "findingCount": .number,
            "gravestFinding": .words(Finding.Severity.self), "decidedBy": .number, "why": .text,
            "presentation": .wordList(Presentation.words.map(\.name)),
            "extension.state": .words(ExtensionProgress.State.self),
            "extension.verdict": .words(ExtensionDecision.Verdict.self),
            "findings.severity": .words(Finding.Severity.self),
            "timeline.event": .words(["accepted"] + DeviceEvent.Kind.allCases.map(\.rawValue)), "announcement": .text,
        ], schemas: FieldSchema.ofNotifications)

    static let requests = QueryRoots(
        [
            "number", "receivedAt", "connection", "environment", "source", "authentication", "status", "reason",
            "fault", "answer", "apnsId", "device", "token", "topic", "pushType", "notification", "diagnosis",
            "findings", "summary", "channel", "broadcast", "relay", "payload", "headers",
        ],
        values: [
            "number": .number, "receivedAt": .time, "connection": .number,
            "environment": .words(APNsEnvironment.self), "source": .words(RequestRecord.Source.self),
            "authentication": .words(RequestRecord.Authentication.self), "fault": .text,
            "answer.outcome": .words(DelayedAnswer.Fate.self), "answer.at": .time, "apnsId": .uuid, "device": .text,
            "token": .anyToken, "topic": .text, "pushType": .text, "notification": .number,
            "findings.severity": .words(Finding.Severity.self), "summary": .text, "channel": .text,
            "broadcast": .number, "relay.outcome": .words(RelayResult.Outcome.self),
            "relay.status": .numbers([100...599]),
        ], schemas: FieldSchema.ofRequests)
}

extension QueryRoots.Values {
    static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Self {
        .words(type.allCases.map(\.rawValue))
    }

    fileprivate static let uuid = identifier("a UUID of 36 characters") { APNsID($0.utf8Span.span.bytes) != nil }
    fileprivate static let token = identifier("hexadecimal digits") { DeviceToken(hex: $0.utf8Span.span.bytes) != nil }
    /// Of a request, as its path spells it.
    fileprivate static let anyToken = identifier("a text") { _ in true }
    fileprivate static let topic = identifier("a bundle identifier, perhaps with a suffix", isValid: TopicRules.isTopic)
}

extension AdminAPI {
    /// - Note: The statuses and reasons of requests depend on the gateway: a fault rule may answer with any.
    func roots(_ kind: DocumentKind) -> QueryRoots {
        switch kind {
        case .notifications: return .notifications
        case .events: return DeviceEvent.roots
        case .requests:
            var roots = QueryRoots.requests
            roots.computed["reason"] = { [gateway] in .words(RequestFilter.reasons(of: gateway)) }
            roots.computed["status"] = { [gateway] in .numbers(RequestFilter.statuses(of: gateway).map { $0...$0 }) }
            return roots
        }
    }
}
