internal import DeviceModel
internal import Fields
internal import JSON

/// What an extension tells the gateway; docs/service-extension-protocol.md has the members.
enum ExtensionMessage: Equatable {
    /// It has started.
    case ready
    /// `didReceive` was entered.
    case entered(id: Int?)
    /// What is shown if time runs out without an answer.
    case bestAttempt(id: Int?, content: JSONValue)
    /// The content handler was called; if `didReceive` was still running, `returned` follows.
    case content(id: Int?, content: JSONValue, isExpiring: Bool, awaitsReturn: Bool)
    /// `didReceive` has returned, after a call of the handler.
    case returned(id: Int?)
    /// `INInteraction.donate`.
    case donate(id: Int?, interaction: JSONValue)
    case log(id: Int?, level: String, message: String)
    /// A call of `UNUserNotificationCenter`, to be answered with its number.
    case center(id: Int?, call: Int, name: String, arguments: JSONValue)

    /// Reads a line.
    ///
    /// - Returns: nil when it is no object with a `type` that is known: the extension printed it.
    /// - Throws: `FieldError` when it has a known `type` and wrong members.
    static func read(_ line: [UInt8]) throws(FieldError) -> ExtensionMessage? {
        guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let json = JSONValue(line.span.bytes),
            case .object(let members) = json, case .string(let type)? = members["type"]
        else { return nil }
        return try Members(members).message(type)
    }
}

/// The members of one message; those that nobody knows are ignored.
private struct Members {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func message(_ type: String) throws(FieldError) -> ExtensionMessage? {
        let id = try optionalInteger("id")
        switch type {
        case "ready":
            let version = try optionalInteger("protocol") ?? HostMessage.version
            guard version == HostMessage.version else {
                throw wrong("protocol", "\(HostMessage.version), the only version there is")
            }
            return .ready
        case "entered": return .entered(id: id)
        case "bestAttempt": return .bestAttempt(id: id, content: try object("content"))
        case "content":
            return .content(
                id: id, content: try object("content"), isExpiring: try flag("expiring"),
                awaitsReturn: try flag("awaitsReturn"))
        case "returned": return .returned(id: id)
        case "donate": return .donate(id: id, interaction: try object("interaction"))
        case "log": return .log(id: id, level: try text("level", otherwise: "info"), message: try text("message"))
        case "center":
            guard let call = try optionalInteger("call") else {
                throw wrong("call", "a number of its own for each call")
            }
            return .center(
                id: id, call: call, name: try text("name"), arguments: members["arguments"] ?? .object([:]))
        default: return nil
        }
    }

    private func optionalInteger(_ name: String) throws(FieldError) -> Int? {
        switch members[name] {
        case nil, .null: return nil
        case .integer(let number): return number
        default: throw wrong(name, "a whole number")
        }
    }

    private func flag(_ name: String) throws(FieldError) -> Bool {
        guard case .bool(let value) = members[name] ?? .bool(false) else { throw wrong(name, "true or false") }
        return value
    }

    private func text(_ name: String, otherwise: String? = nil) throws(FieldError) -> String {
        if case .string(let text)? = members[name] { return text }
        if members[name] == nil, let otherwise { return otherwise }
        throw wrong(name, "a text")
    }

    private func object(_ name: String) throws(FieldError) -> JSONValue {
        guard let value = members[name], case .object = value else { throw wrong(name, "an object") }
        return value
    }

    private func wrong(_ name: String, _ accepted: String) -> FieldError {
        let place = FieldPath().member(name)
        guard let value = members[name] else {
            return FieldError(problems: [FieldProblem(place, "is missing", "accepted: \(accepted)")])
        }
        return FieldError(problems: [FieldProblem(place, "is \(value.words)", "accepted: \(accepted)")])
    }
}
