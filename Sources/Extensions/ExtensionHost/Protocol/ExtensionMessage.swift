package import DeviceModel
package import Fields
package import JSON

/// A message from an extension; docs/service-extension-protocol.md has the members.
package struct ExtensionMessage {
    /// The request's number, if any.
    package var id: Int?
    package var kind: Kind

    package enum Kind {
        /// With the process's `/proc/self/status` at this moment.
        case ready(status: String?)
        case entered
        /// The content to show if time runs out.
        case bestAttempt(JSONValue)
        /// The content handler was called. If `awaitsReturn`, `returned` follows.
        case content(JSONValue, isExpiring: Bool = false, awaitsReturn: Bool = false)
        /// `didReceive` returned after calling the handler.
        case returned
        /// `INInteraction.donate`.
        case donate(JSONValue)
        case log(ExtensionRun.LogLine)
        /// A `UNUserNotificationCenter` call; the reply carries its number.
        case center(ExtensionRun.CenterCall, number: Int)
    }

    /// - Returns: nil unless the line is an object with a known `type`; any other line is the extension's own output.
    /// - Throws: `FieldError` for a known `type` with invalid members.
    package static func read(_ line: [UInt8]) throws(FieldError) -> ExtensionMessage? {
        guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), let json = JSONValue(line.span.bytes),
            case .object(let members) = json, case .string(let type)? = members["type"]
        else { return nil }
        let reader = MemberReader(json)
        let id = reader.value("id", FieldFormat<Int>.integer)
        let kind = reader.kind(type)
        try reader.finish()
        return kind.map { ExtensionMessage(id: id, kind: $0) }
    }

    /// Why a line that looks like a message is none: it is not valid JSON.
    static func problem(of line: [UInt8]) -> JSONProblem? {
        guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{"), line.prefix(1000).contains(Array(#""type""#.utf8)),
            case .invalid(let problem) = PayloadScan(line.span.bytes)
        else { return nil }
        return problem
    }
}

extension MemberReader {
    fileprivate func kind(_ type: String) -> ExtensionMessage.Kind? {
        switch type {
        case "ready":
            let version = "\(HostMessage.version), the only version there is"
            if let json = self["protocol"], json != .integer(HostMessage.version) {
                report([.wrong(json, at: path.member("protocol"), accepted: version)])
            }
            return .ready(status: value("status", .text))
        case "entered": return .entered
        case "bestAttempt": return .bestAttempt(object("content"))
        case "content":
            return .content(
                object("content"), isExpiring: value("expiring", .flag) ?? false,
                awaitsReturn: value("awaitsReturn", .flag) ?? false)
        case "returned": return .returned
        case "donate": return .donate(object("interaction"))
        case "log":
            return .log(
                .init(level: cut(value("level", .text) ?? "info"), message: cut(required("message", .text) ?? "")))
        case "center":
            let number = required("call", FieldFormat<Int>.integer) ?? 0
            let name = cut(required("name", .text) ?? "")
            return .center(.init(name, self["arguments"] ?? [:]), number: number)
        default: return nil
        }
    }

    /// Otherwise each kept line of a log could be as long as a message.
    private func cut(_ text: String) -> String {
        let limit = 8 << 10
        if text.utf8.count <= limit { return text }
        return text[..<text.utf8.index(text.startIndex, offsetBy: limit)] + "…"
    }

    private func object(_ name: String) -> JSONValue { required(name, .anyObject) ?? .null }
}
