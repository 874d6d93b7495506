internal import APNs
package import Fields
package import JSON

/// Donations as `INInteraction` is written (D.2).
extension Donation {
    /// Reads an interaction: the object itself, or one with it as `interaction`.
    ///
    /// - Parameters:
    ///   - fallback: its identifier, should it have none.
    ///   - keep: is asked about each picture in intent and response, whose bytes are left out of the donation.
    package init(
        _ json: JSONValue, named fallback: @autoclosure () -> String, keep: IntentImage.Keeper
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
            intent: (reader["intent"] ?? .null).keepingPictures(keep),
            response: reader["response"]?.keepingPictures(keep))
        if intentClass == nil {
            let place = reader.path.member("intent")
            reader.report([FieldProblem(place, "is missing or has no class", "accepted: an object with class")])
        }
        try reader.finish()
    }

    /// As `init(_:named:keep:)` reads it.
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

    /// The intent's class, such as `INSendMessageIntent`.
    package var intentClass: String? {
        guard case .object(let members) = intent, case .string(let name)? = members["class"], !name.isEmpty else {
            return nil
        }
        return name
    }

    /// The people of a message or a call; nil for any other intent.
    package var communication: CommunicationContext? {
        try? CommunicationContext(intent: intent, isLenient: true) { _ in nil }
    }
}

extension JSONValue {
    /// The same with the SHA-256 of pictures beside them, and instead of their bytes.
    fileprivate func keepingPictures(_ keep: IntentImage.Keeper) -> JSONValue {
        switch self {
        case .null, .bool, .integer, .number, .string, .verbatim: return self
        case .array(let elements): return .array(elements.map { $0.keepingPictures(keep) })
        case .object(var members):
            let picture = MemberReader(self)
            guard members["class"] == nil, picture.value("kind", .word(IntentImage.Kind.self)) != nil
            else { return .object(members.mapValues { $0.keepingPictures(keep) }) }
            if let digest = picture.image(keep) { members["sha256"] = .string(digest) }
            if members["kind"] == .string(IntentImage.Kind.data.rawValue) { members["value"] = nil }
            return .object(members)
        }
    }
}

extension FieldFormat {
    /// Seconds, with fractions; 0 or more.
    static var seconds: FieldFormat<Double> {
        custom(
            "seconds, 0 or more", .number(minimum: 0), read: { $0.double.flatMap { $0 >= 0 ? $0 : nil } },
            write: { .number($0) })
    }
}

extension JSONValue {
    /// A number, whole or not.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .null, .bool, .string, .array, .object, .verbatim: nil
        }
    }
}
