internal import APNs
internal import DeviceModel
internal import JSON
internal import Time

extension LintRule {
    /// Rules about pushes that are neither alerts nor for Live Activities.
    static let services = [
        LintRule(
            "push.undeclared", .info, "design",
            "the app does not declare whether it takes such pushes, so the device accepts every one",
            fix:
                #"PUT /api/v1/apps/{bundleId} {"pushkit": {"voip": true}, "ptt": true, "widgets": [{"kind": "scores"}]}"#,
            needs: [.app]
        ) { facts in
            guard let app = facts.app, let type = facts.subject.pushType, declarable.contains(type) else { return [] }
            return hit("", type.name, if: !app.declares(type))
        },
        LintRule(
            "wd.aps", .warning, "doc: Updating widgets with WidgetKit push notifications; Updating controls",
            "the payload of a widget or control push is fixed", fix: #"{"aps": {"content-changed": true}}"#
        ) { facts in
            guard facts.subject.pushType == .widgets || facts.subject.pushType == .controls else { return [] }
            let fixed: JSONValue = ["aps": ["content-changed": .bool(true)]]
            return hit("", if: JSONValue(facts.subject.payload.span.bytes) != fixed)
        },
        LintRule(
            "voip.cancelPush", .warning, "doc: Responding to VoIP Notifications from PushKit",
            "every VoIP push must ring, so a push cannot cancel a call",
            fix: "cancel the call over the app's own connection to its server"
        ) { facts in
            guard facts.subject.pushType == .voip else { return [] }
            let members = facts.custom.sorted { $0.key < $1.key }
            return members.first { cancels($0.key) || cancels($0.value) }.map { [Hit(path: $0.key)] } ?? []
        },
        LintRule(
            "bg.rate", .warning, "doc: Pushing background updates to your App",
            "more than 3 background pushes within an hour; the system holds back or drops what exceeds its budget",
            fix: "two or three an hour", needs: [.history, .clock]
        ) { facts in
            guard facts.subject.pushType == .background, let now = facts.subject.now else { return [] }
            let recent = facts.subject.history?.backgroundPushes.count { now.milliseconds(since: $0) < .hour }
            return hit("", "this is number \((recent ?? 0) + 1)", if: recent.map { $0 >= 3 } ?? false)
        },
    ]

    private static let declarable: Set<PushType> = [.voip, .fileprovider, .pushtotalk, .location, .widgets, .controls]

    /// Matches `cancel_call`, `"type": "hangup"` and the like.
    private static func cancels(_ text: String) -> Bool {
        let word = text.plainKey
        return ["cancel", "hangup", "endcall", "callend"].contains { word.contains($0) }
    }

    private static func cancels(_ value: JSONValue) -> Bool {
        if case .string(let text) = value { text.utf8.count <= 40 && cancels(text) } else { false }
    }
}
