internal import DeviceModel
package import Fields
package import JSON

/// What an extension tells the gateway; docs/service-extension-protocol.md has the members.
package enum ExtensionMessage: Equatable {
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
    package static func read(_ line: [UInt8]) throws(FieldError) -> ExtensionMessage? {
        guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let json = JSONValue(line.span.bytes),
            case .object(let members) = json, case .string(let type)? = members["type"]
        else { return nil }
        let reader = MemberReader(json)
        let message = reader.message(type)
        try reader.finish()
        return message
    }
}

extension MemberReader {
    fileprivate func message(_ type: String) -> ExtensionMessage? {
        let id = value("id", FieldFormat<Int>.integer)
        switch type {
        case "ready":
            let version = "\(HostMessage.version), the only version there is"
            if let json = self["protocol"], json != .integer(HostMessage.version) {
                report([.wrong(json, at: path.member("protocol"), accepted: version)])
            }
            return .ready
        case "entered": return .entered(id: id)
        case "bestAttempt": return .bestAttempt(id: id, content: object("content"))
        case "content":
            return .content(
                id: id, content: object("content"), isExpiring: value("expiring", .flag) ?? false,
                awaitsReturn: value("awaitsReturn", .flag) ?? false)
        case "returned": return .returned(id: id)
        case "donate": return .donate(id: id, interaction: object("interaction"))
        case "log":
            return .log(id: id, level: value("level", .text) ?? "info", message: required("message", .text) ?? "")
        case "center":
            let call = required("call", FieldFormat<Int>.integer) ?? 0
            return .center(
                id: id, call: call, name: required("name", .text) ?? "", arguments: self["arguments"] ?? .object([:]))
        default: return nil
        }
    }

    /// An object that must be there, as it is.
    private func object(_ name: String) -> JSONValue {
        required(name, .anyObject) ?? .null
    }
}
