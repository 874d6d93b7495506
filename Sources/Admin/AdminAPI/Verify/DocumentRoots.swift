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
            "id": .number, "identifier": .text, "device": .text, "topic": .topic, "origin": .words(["push", "local"]),
            "token": .token, "environment": .words(APNsEnvironment.self), "state": .words(DeliveryState.Kind.self),
            "outcome": .words(PushOutcome.self), "discardReason": .words(DiscardReason.self),
            "holdReason": .words(HoldReason.self), "timing": .words(Timing.self),
            "level": .words(InterruptionLevel.self), "places": .wordList(Places.words.map(\.name)),
            "receivedAt": .time, "settledAt": .time, "shownAt": .time, "alertReleasedAt": .time, "apnsId": .uuid,
            "apnsUniqueId": .uuid, "pushType": .words(PushType.allCases.map(\.name)),
            "priority": .numbers([1...1, 5...5, 10...10]), "expiration": .number, "collapseId": .text,
            "isCommunication": .flag, "sender": .text, QueryPath.anyText: .text, "title": .text, "subtitle": .text,
            "body": .text, "badge": .number, "sound": .text, "extensionEnd": .words(ExtensionRun.End.self),
            "findingCount": .number, "gravestFinding": .words(Finding.Severity.self), "payload": nil, "headers": nil,
            "request": nil, "content": nil, "localized": nil, "displayed": nil, "announcement": .text,
            "suggestion": nil, "extension": nil, "extension.state": .words(ExtensionProgress.State.self),
            "extension.verdict": .words(ExtensionDecision.Verdict.self),
            "presentation": .wordList(Presentation.words.map(\.name)), "circumstances": nil, "trace": nil,
            "decidedBy": .number, "why": .text, "deliveryLog": nil, "findings": nil,
            "findings.severity": .words(Finding.Severity.self), "timeline": nil,
            "timeline.event": .words(["accepted"] + DeviceEvent.Kind.allCases.map(\.rawValue)),
        ], schemas: FieldSchema.ofNotifications)

    static let requests = QueryRoots(
        [
            "number": .number, "receivedAt": .time, "connection": .number,
            "environment": .words(APNsEnvironment.self), "source": .words(RequestRecord.Source.self),
            "authentication": .words(RequestRecord.Authentication.self), "status": nil, "reason": nil, "fault": .text,
            "answer": nil, "answer.outcome": .words(DelayedAnswer.Fate.self), "answer.at": .time, "apnsId": .uuid,
            "device": .text, "token": .anyToken, "topic": .text, "pushType": .text, "notification": .number,
            "diagnosis": nil, "findings": nil, "findings.severity": .words(Finding.Severity.self), "summary": .text,
            "channel": .text, "broadcast": .number, "relay": nil, "relay.outcome": .words(RelayResult.Outcome.self),
            "relay.status": .numbers([100...599]), "payload": nil, "headers": nil,
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

/// What is below the names of documents, as `openapi.yaml` describes it.
extension FieldSchema {
    static let ofNotifications: [String: FieldSchema] = [
        "headers": .map(.text(.any)),
        "request": .answer(
            texts: ["payloadText", "payloadBase64"],
            [
                "payloadByteCount": .count, "headers": .list(.answer(texts: ["name", "value"])), "payload": .any,
                "connection": .count,
            ]),
        "content": NotificationContent.schema,
        "localized": .answer(texts: ["title", "subtitle", "body"]),
        "displayed": .answer(
            texts: ["appName", "title", "subtitle", "watchSubtitle", "body", "label", "thumbnail"],
            ["isHidden": .flag, "isCommunication": .flag, "avatar": .answer(texts: ["image", "monogram"])]),
        "suggestion": .answer(texts: ["kind", "person", "name", "contact", "app"]),
        "extension": .answer(
            texts: ["state", "message", "rule", "source", "verdict"],
            [
                "before": NotificationContent.schema, "after": NotificationContent.schema,
                "changes": .list(
                    .answer(["member": .word(NotificationContent.fieldNames), "before": .any, "after": .any])),
                "run": extensionRun,
            ]),
        "circumstances": .answer([
            "device": DeviceConditions.schema, "app": App.schema, "settings": NotificationSettings.schema,
        ]),
        "trace": .list(.answer(texts: ["stage", "rule", "facts", "answer", "source", "sentence"])),
        "deliveryLog": .list(.answer(texts: ["at", "text"])),
        "findings": findings,
        "timeline": .list(
            .answer(texts: ["at", "event", "app"], ["number": .count, "notification": .count, "details": .any])),
    ]

    static let ofRequests: [String: FieldSchema] = [
        "headers": .map(.text(.any)),
        "answer": .answer(texts: ["outcome", "at"]),
        "relay": .answer(
            texts: ["upstream", "outcome", "reason", "error", "difference", "at"], ["status": .count]),
        "diagnosis": .answer(texts: ["id", "message"]),
        "findings": findings,
    ]

    private static let findings = list(.answer(texts: ["id", "severity", "message", "path", "source", "fix"]))

    private static let extensionRun = answer(
        texts: ["detail", "startedAt", "expiredAt", "endedAt", "output"],
        [
            "end": .word(ExtensionRun.End.allCases.map(\.rawValue)),
            "answerSource": .word(ExtensionRun.AnswerSource.allCases.map(\.rawValue)), "ignoredAnswers": .count,
            "isNewProcess": .flag, "startUpMilliseconds": .count, "answerMilliseconds": .count,
            "peakMemoryBytes": .count, "log": .list(.answer(texts: ["level", "message"])), "donations": .list(.any),
            "centerCalls": .list(.answer(texts: ["name"], ["arguments": .any])), "findings": findings,
        ])

    private static let count = integer(minimum: 0, maximum: nil)

    private static func answer(texts: [String] = [], _ others: [String: FieldSchema] = [:]) -> FieldSchema {
        let members = texts.map { ($0, FieldSchema.text(.any)) } + others.sorted { $0.key < $1.key }
        return .object(
            "",
            members.map { name, schema in
                FieldDescription(name: name, accepted: "", summary: "", schema: schema, isOptional: true)
            })
    }
}
