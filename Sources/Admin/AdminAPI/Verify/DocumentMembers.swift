internal import DeviceModel
internal import Fields

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
