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
        var problems: [FieldProblem] = []
        var reader = MemberReader(json, &problems)
        if let inner = reader?["interaction"] {
            reader = MemberReader(inner, at: FieldPath().member("interaction"), &problems)
        }
        guard let reader else { throw FieldError(problems: problems) }
        let dates = reader.object("dateInterval", &problems)
        self.init(
            identifier: reader.text("identifier", &problems) ?? fallback(),
            groupIdentifier: reader.text("groupIdentifier", &problems),
            direction: reader.value("direction", .word(Direction.self), &problems) ?? .unspecified,
            startedAt: dates?.value("start", .instant, &problems),
            duration: dates?.value("duration", .seconds, &problems) ?? 0,
            intent: (reader["intent"] ?? .null).keepingPictures(keep),
            response: reader["response"]?.keepingPictures(keep))
        if intentClass == nil {
            let place = reader.path.member("intent")
            problems.append(FieldProblem(place, "is missing or has no class", "accepted: an object with class"))
        }
        guard problems.isEmpty else { throw FieldError(problems: problems) }
    }

    /// As `init(_:named:keep:)` reads it.
    package var json: OrderedJSON {
        var members: [OrderedJSON.Member] = [.init("identifier", .string(identifier))]
        if let groupIdentifier { members.append(.init("groupIdentifier", .string(groupIdentifier))) }
        members.append(.init("direction", .string(direction.rawValue)))
        if let startedAt {
            let interval: [OrderedJSON.Member] = [
                .init("start", .string(startedAt.text)), .init("duration", .number(duration)),
            ]
            members.append(.init("dateInterval", .object(interval)))
        }
        members.append(.init("intent", OrderedJSON(intent)))
        if let response { members.append(.init("response", OrderedJSON(response))) }
        return .object(members)
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
        case .null, .bool, .integer, .number, .string: return self
        case .array(let elements): return .array(elements.map { $0.keepingPictures(keep) })
        case .object(var members):
            var problems: [FieldProblem] = []
            guard members["class"] == nil, let picture = MemberReader(self, &problems),
                picture.value("kind", .word(IntentImage.Kind.self), &problems) != nil
            else { return .object(members.mapValues { $0.keepingPictures(keep) }) }
            if let digest = picture.image(keep, &problems) { members["sha256"] = .string(digest) }
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
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
