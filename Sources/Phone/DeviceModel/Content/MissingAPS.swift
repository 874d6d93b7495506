internal import Fields
internal import JSON

/// What a payload without `aps` has instead: `aps` under another name, inside another dictionary or in a text, or the
/// message of another service.
struct MissingAPS {
    private let members: JSONObject

    /// - Parameter payload: A JSON dictionary without `aps`.
    init(_ payload: RawSpan) {
        members = if case .object(let members) = JSONValue(payload) { members } else { [:] }
    }

    var finding: Finding {
        let place =
            Self.place(in: members, at: "", depth: 0)
            ?? respeltKey.map { ($0, "did you mean `aps` instead of `\($0)`?") }
            ?? service.map { ("", "this is a message for \($0), while APNs needs `{\"aps\": {…}}`") }
        return Finding(
            "payload.aps.missing", .warning, at: place?.path ?? "",
            "the payload has no `aps` dictionary at its top, so nothing can be shown"
                + (place.map { ": \($0.hint)" } ?? "; only MDM omits it"))
    }

    /// FCM nests it four deep: `message.apns.payload.aps`.
    private static let deepest = 4

    /// A dictionary called `aps` in any spelling.
    private static func place(
        in members: JSONObject, at path: String, depth: Int
    ) -> (path: String, hint: String)? {
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let here = path.isEmpty ? key : "\(path).\(key)"
            switch value {
            case .object(let inner):
                if key.plainKey == "aps" {
                    let hint = depth == 0 ? "did you mean `aps` instead of `\(key)`?" : "move `\(here)` there"
                    return (here, hint)
                }
                if depth < deepest, let place = place(in: inner, at: here, depth: depth + 1) { return place }
            case .string(let text):
                if case .object(let inner) = JSONValue(Array(text.utf8).span.bytes), inner["aps"] != nil {
                    return (here, "the text of `\(here)` is the payload, as in a message for SNS; send it alone")
                }
            case .null, .bool, .integer, .number, .array, .verbatim: break
            }
        }
        return nil
    }

    /// `asp` or `apns`: a dictionary with a key of `aps`, whose name differs in one letter.
    private var respeltKey: String? {
        members.keys.sorted().first { key in
            guard case .object(let inner) = members[key] else { return false }
            return key.utf8.count <= 8 && NearestName.distance(key.plainKey, KeyPlace.aps.rawValue) == 1
                && inner.keys.contains { KeyPlace.aps.plainKeys[$0.plainKey] != nil }
        }
    }

    /// The push service that takes such messages.
    private var service: String? {
        let recipient = members["to"]?.string ?? members["to"]?.elements.first?.string ?? ""
        if recipient.hasPrefix("ExponentPushToken[") || recipient.hasPrefix("ExpoPushToken[") { return "Expo" }
        if members["app_id"] != nil, ["contents", "headings", "template_id"].contains(where: { members[$0] != nil }) {
            return "OneSignal"
        }
        let isLegacy = ["to", "registration_ids", "condition"].contains { members[$0] != nil }
        let notification = members["message"]?["notification"] ?? (isLegacy ? members["notification"] : nil)
        if case .object = notification { return "Firebase Cloud Messaging" }
        return nil
    }
}
