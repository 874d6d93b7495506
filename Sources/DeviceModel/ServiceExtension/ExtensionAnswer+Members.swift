internal import Fields
internal import JSON

/// Which members an answer's objects may have; what else is there is left out, so that it never costs the answer.
extension ExtensionAnswer {
    /// What may stand inside a member of a content.
    private indirect enum Shape: Sendable {
        case object(members: [String], inner: [String: Shape] = [:])
        case list(of: Shape)
    }

    /// The members of a content that have members of their own, but for `userInfo` and intents, in which anything may stand.
    private static let shapes: [String: Shape] = [
        "sound": .object(members: ["name", "critical", "volume"]),
        "attachments": .list(
            of: .object(
                members: NotificationAttachment.fieldNames,
                inner: [
                    "options": .object(
                        members: NotificationAttachment.Options.fieldNames,
                        inner: ["clippingRect": .object(members: NotificationAttachment.UnitRect.fieldNames)])
                ])),
    ]

    /// A content without the inner members that nobody knows; each is a finding.
    mutating func leavingOutUnknown(_ json: JSONValue) -> JSONValue {
        guard case .object(var members) = json else { return json }
        for (name, shape) in Self.shapes.sorted(by: { $0.key < $1.key }) {
            members[name] = members[name].map { known($0, shape, at: FieldPath().member(name)) }
        }
        return .object(members)
    }

    private mutating func known(_ json: JSONValue, _ shape: Shape, at path: FieldPath) -> JSONValue {
        switch (json, shape) {
        case (.array(let elements), .list(let inner)):
            return .array(elements.enumerated().map { known($0.element, inner, at: path.element($0.offset)) })
        case (.object(var members), .object(let names, let inner)):
            for name in members.keys.sorted() where !names.contains(name) {
                members[name] = nil
                noteUnknown(name, at: path.member(String(name.prefix(60))), among: names)
            }
            for (name, shape) in inner { members[name] = members[name].map { known($0, shape, at: path.member(name)) } }
            return .object(members)
        default: return json
        }
    }

    mutating func noteUnknown(_ name: String, at path: FieldPath, among names: [String]) {
        let nearest = NearestName.of(name, among: names)
        note("nse.answer.unknownMember", at: path.description, nearest.map { "did you mean \($0)?" } ?? "")
    }
}
