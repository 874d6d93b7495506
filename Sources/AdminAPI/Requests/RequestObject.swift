internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON

/// A JSON object from a request's body; each value is asked for by name, so that a mistake can be named.
struct RequestObject: Sendable {
    private let members: [String: JSONValue]
    /// Where the object stands in the body, such as `registrations[0].`; empty for the body itself.
    private let prefix: String

    /// - Parameters:
    ///   - json: the body.
    ///   - names: the members that are understood.
    init(_ json: [String: JSONValue], accepting names: [String]) throws(AdminError) {
        self.init(members: json, prefix: "")
        try check(names)
    }

    private init(members: [String: JSONValue], prefix: String) {
        self.members = members
        self.prefix = prefix
    }

    private func check(_ names: [String]) throws(AdminError) {
        guard let unknown = members.keys.filter({ !names.contains($0) }).min() else { return }
        let accepted = names.isEmpty ? "None is accepted here" : "Accepted are \(names.joined(separator: ", "))"
        let hint = NearestName.of(unknown, among: names).map { " Did you mean '\($0)'?" } ?? ""
        throw .badRequest("The member '\(prefix)\(unknown.prefix(60))' is unknown.\(hint) \(accepted).")
    }

    /// Changes what the body names of a value, through the table of its type; nothing when something of it is wrong.
    ///
    /// - Note: Members that the table does not have are left to others; `init` knows which there may be.
    func apply<Value: FieldDescribed>(to value: inout Value) throws(AdminError) {
        do throws(FieldError) {
            try value.apply(.object(members.filter { Value.fieldNames.contains($0.key) }))
        } catch {
            throw AdminError(error)
        }
    }

    /// Whether the member is there. One of `null` is, so that asking for its value refuses it.
    func has(_ name: String) -> Bool { members[name] != nil }

    /// Whether the member is there and `null`, for the few that may be.
    func isNull(_ name: String) -> Bool { members[name] == .null }

    private func wrong(_ name: String, _ expected: String) -> AdminError {
        .badRequest("'\(prefix)\(name)' must be \(expected).")
    }

    func string(_ name: String) throws(AdminError) -> String? {
        guard has(name) else { return nil }
        guard case .string(let text) = members[name] else { throw wrong(name, "a string") }
        return text
    }

    /// A string that must be there.
    func requiredString(_ name: String) throws(AdminError) -> String {
        guard let text = try string(name), !text.isEmpty else {
            throw wrong(name, "there, and a string that is not empty")
        }
        return text
    }

    func integer<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type) throws(AdminError) -> Number? {
        guard has(name) else { return nil }
        guard case .integer(let value) = members[name], let number = Number(exactly: value) else {
            throw wrong(name, Number.isSigned ? "a whole number" : "a whole number, 0 or more")
        }
        return number
    }

    /// A time, in UTC or with an offset.
    func instant(_ name: String) throws(AdminError) -> Instant? {
        guard let text = try string(name) else { return nil }
        guard let instant = Instant(written: text) else {
            throw wrong(name, "a time such as 2026-11-21T07:00:00Z or 2026-11-21T16:00:00+09:00")
        }
        return instant
    }

    /// The members of an object; `nil` when it is absent.
    func members(_ name: String) throws(AdminError) -> [String: JSONValue]? {
        guard has(name) else { return nil }
        guard case .object(let members) = members[name] else { throw wrong(name, "an object") }
        return members
    }

    func strings(_ name: String) throws(AdminError) -> [String]? {
        guard has(name) else { return nil }
        guard case .array(let elements) = members[name] else { throw wrong(name, "an array of strings") }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw wrong(name, "an array of strings") }
            texts.append(text)
        }
        return texts
    }

    /// A value out of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(AdminError) -> Choice? where Choice.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            throw unknownWord(prefix + name, text, Choice.allCases.map(\.rawValue))
        }
        return choice
    }

    /// Values out of a few words.
    func choices<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(AdminError) -> [Choice]? where Choice.RawValue == String {
        guard let texts = try strings(name) else { return nil }
        var choices: [Choice] = []
        for text in texts {
            guard let choice = Choice(rawValue: text) else {
                throw unknownWord(prefix + name, text, Choice.allCases.map(\.rawValue))
            }
            choices.append(choice)
        }
        return choices
    }

    func objects(_ name: String, accepting names: [String]) throws(AdminError) -> [RequestObject]? {
        guard has(name) else { return nil }
        guard case .array(let elements) = members[name] else { throw wrong(name, "an array of objects") }
        var objects: [RequestObject] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element else { throw wrong(name, "an array of objects") }
            let object = RequestObject(members: members, prefix: "\(prefix)\(name)[\(index)].")
            try object.check(names)
            objects.append(object)
        }
        return objects
    }

    /// A topic of a legal form.
    func topic(_ name: String) throws(AdminError) -> String {
        try checkedTopic(try requiredString(name), field: prefix + name)
    }

    func deviceToken(_ name: String) throws(AdminError) -> DeviceToken? {
        guard let text = try string(name) else { return nil }
        return try checkedToken(text, field: prefix + name)
    }
}

/// A topic, or why it is none.
func checkedTopic(_ text: String, field: String) throws(AdminError) -> String {
    guard TopicRules.isTopic(text) else {
        throw .badRequest(
            "'\(field)' is '\(text.prefix(80))'; a topic is a bundle identifier, with a suffix for some push types: "
                + "\(TopicRules.form).")
    }
    return text
}

/// A device token, or why it is none.
func checkedToken(_ text: String, field: String) throws(AdminError) -> DeviceToken {
    guard let token = DeviceToken(hex: Array(text.utf8).span.bytes) else {
        throw .badRequest(
            "'\(field)' must be an even number of hexadecimal digits, at most \(2 * DeviceToken.maximumByteCount).")
    }
    return token
}
