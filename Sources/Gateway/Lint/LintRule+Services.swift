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
            // Some libraries send 1.
            let accepted: [JSONValue] = [.bool(true), .integer(1)].map { ["aps": ["content-changed": $0]] }
            return hit("", if: !accepted.contains(JSONValue(facts.subject.payload.span.bytes) ?? .null))
        },
        LintRule(
            "voip.cancelPush", .warning, "doc: Responding to VoIP Notifications from PushKit",
            "every VoIP push must ring, so a push cannot cancel a call",
            fix: "cancel the call over the app's own connection to its server"
        ) { facts in
            guard facts.subject.pushType == .voip else { return [] }
            let members = facts.custom.sorted { $0.key < $1.key }
            return members.first { cancels($0.key, $0.value) }.map { [Hit(path: $0.key)] } ?? []
        },
        LintRule(
            "bg.rate", .warning, "doc: Pushing background updates to your App",
            "more than 3 background pushes within an hour; the system holds back or drops what exceeds its budget",
            fix: "two or three an hour", needs: [.history, .clock]
        ) { facts in
            guard facts.subject.pushType == .background, facts.content.traits.isBackground,
                let now = facts.subject.now
            else { return [] }
            let recent = facts.subject.history?.backgroundPushes.count {
                (0..<Int64.hour).contains(now.milliseconds(since: $0))
            }
            return hit("", "this is number \((recent ?? 0) + 1)", if: recent.map { $0 >= 3 } ?? false)
        },
    ]

    private static let declarable: Set<PushType> = [.voip, .fileprovider, .pushtotalk, .location, .widgets, .controls]

    /// Matches `cancel_call`, `"type": "hangup"` and the like, but not `cancellable` or a caller's name.
    private static func cancels(_ key: String, _ value: JSONValue) -> Bool {
        if value == .null || value == .bool(false) || value == .integer(0) { return false }
        let words = key.words
        if words.allSatisfy(wordsOfCalls.contains) { return isCancellation(words) }
        guard let text = value.string, text.utf8.count <= 40, let last = words.last else { return false }
        return wordsForActs.contains(last) && isCancellation(text.words)
    }

    private static func isCancellation(_ words: [String]) -> Bool {
        let text = words.joined(separator: " ")
        return cancellations.contains { text.containsWord($0) }
    }

    private static let cancellations = [
        "cancel", "canceled", "cancelled", "hangup", "hang up", "endcall", "end call", "callend", "call end",
        "call ended",
    ]
    /// Of keys that say nothing else.
    private static let wordsOfCalls: Set<String> = [
        "cancel", "canceled", "cancelled", "hangup", "hang", "up", "endcall", "callend", "end", "ended", "call", "is",
        "id", "uuid",
    ]
    /// At the end of keys whose values say what happened.
    private static let wordsForActs: Set<String> = [
        "type", "event", "action", "status", "method", "state", "command", "cmd",
    ]
}

extension String {
    /// In lower case: `hangUp_call` has hang, up and call.
    fileprivate var words: [String] {
        var words = [""]
        var followsSmall = false
        for character in self {
            if !character.isLetter && !character.isNumber || followsSmall && character.isUppercase { words.append("") }
            if character.isLetter || character.isNumber { words[words.count - 1] += character.lowercased() }
            followsSmall = character.isLowercase
        }
        return words.filter { !$0.isEmpty }
    }
}
