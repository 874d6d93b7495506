package import Fields
package import JSON
package import Time

/// An interaction that an app or its extension donated (`INInteraction`).
package struct Donation: Sendable, Hashable, Codable {
    package var identifier: String
    package var groupIdentifier: String?
    package var direction = Direction.unspecified
    package var startedAt: Instant?
    /// Seconds.
    package var duration = 0.0
    /// Has all of the intent's members, including `class`.
    package var intent: JSONValue
    package var response: JSONValue?

    /// `INInteractionDirection`.
    package enum Direction: String, CaseIterable, Codable, Sendable { case unspecified, outgoing, incoming }

    package init(
        identifier: String, groupIdentifier: String? = nil, direction: Direction = .unspecified,
        startedAt: Instant? = nil, duration: Double = 0, intent: JSONValue, response: JSONValue? = nil
    ) {
        (self.identifier, self.groupIdentifier, self.direction) = (identifier, groupIdentifier, direction)
        (self.startedAt, self.duration) = (startedAt, duration)
        (self.intent, self.response) = (intent, response)
    }
}

/// Reads and writes donations in the form of `INInteraction` (D.2).
extension Donation {
    /// Reads an interaction: the object itself, or its member `interaction`. Pictures become digests.
    ///
    /// - Parameter fallback: The identifier of an interaction without one.
    package init(
        _ json: JSONValue, named fallback: @autoclosure () -> String, store: IntentImage.Storage
    ) throws(FieldError) {
        let outer = MemberReader(json)
        let inner = outer.object("interaction")
        try outer.finish()
        let reader = inner ?? outer
        let dates = reader.object("dateInterval")
        self.init(
            identifier: reader.text("identifier") ?? fallback(),
            groupIdentifier: reader.text("groupIdentifier"),
            direction: reader.value("direction", .word(Direction.self)) ?? .unspecified,
            startedAt: dates?.value("start", .instant),
            duration: dates?.value("duration", .seconds) ?? 0,
            intent: (reader["intent"] ?? .null).storePictures(store),
            response: reader["response"]?.storePictures(store))
        if intentClass == nil {
            let place = reader.path.member("intent")
            reader.report([FieldProblem(place, "is missing or has no class", "accepted: an object with class")])
        }
        try reader.finish()
    }

    package var json: JSONValue {
        [
            "identifier": .string(identifier),
            "groupIdentifier": groupIdentifier.map { .string($0) },
            "direction": .string(direction.rawValue),
            "dateInterval": startedAt.map { ["start": .string($0.text), "duration": .number(duration)] },
            "intent": intent.sorted,
            "response": response?.sorted,
        ]
    }

    /// Such as `INSendMessageIntent`.
    package var intentClass: String? { intent.intentClass }

    /// nil for any intent but a message or a call.
    package var communication: CommunicationContext? {
        try? CommunicationContext(intent: intent, isLenient: true) { _ in nil }
    }
}

extension JSONValue {
    /// An intent's member `class`.
    package var intentClass: String? { self["class"]?.string?.ifAny }

    /// Replaces each picture's bytes with their SHA-256.
    func storePictures(_ store: IntentImage.Storage) -> JSONValue {
        switch self {
        case .null, .bool, .integer, .number, .string, .verbatim: return self
        case .array(let elements): return .array(elements.map { $0.storePictures(store) })
        case .object(var members):
            let picture = MemberReader(self)
            guard members["class"] == nil, picture.value("kind", .word(IntentImage.Kind.self)) != nil
            else { return .object(JSONObject(members.map { ($0.key, $0.value.storePictures(store)) })) }
            if let digest = picture.image(store) { members["sha256"] = .string(digest) }
            if members["kind"] == .string(IntentImage.Kind.data.rawValue) { members["value"] = nil }
            return .object(members)
        }
    }
}

extension FieldFormat {
    static var seconds: FieldFormat<Double> { number("seconds, 0 or more", .number(minimum: 0)) { $0 >= 0 } }
}
