internal import DeviceModel
internal import JSON

/// A payload as `xcrun simctl push` takes it: the member that names the app is taken out, every other byte stays.
struct SimulatorPayload: Sendable {
    /// What is pushed.
    private(set) var payload: [UInt8]
    /// The bundle identifier that the file names.
    private(set) var bundleID: String?

    private static let member = "Simulator Target Bundle"

    init(_ body: [UInt8]) throws(AdminError) {
        switch PayloadScan(body.span.bytes) {
        case .valid, .apsMissing, .apsNotAnObject: break
        case .notAnObject: throw .badRequest("The payload must be a JSON object.")
        case .invalid(let problem): throw .badRequest("The payload is \(problem.message).")
        }
        payload = body
        var members = Self.members(of: body)
        // From behind, so that the places of those before stay.
        while let index = members.lastIndex(where: { body[$0.name].elementsEqual("\"\(Self.member)\"".utf8) }) {
            guard case .string(let text) = JSONValue(body[members[index].value].span.bytes) else {
                throw .badRequest("'\(Self.member)' must be a string.")
            }
            bundleID = bundleID ?? text
            payload.removeSubrange(Self.extent(of: index, in: members))
            members.remove(at: index)
        }
    }

    /// Where a member lies.
    private struct Member {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// A member with the comma that parts it from its neighbour.
    private static func extent(of index: Int, in members: [Member]) -> Range<Int> {
        if index + 1 < members.count { return members[index].name.lowerBound..<members[index + 1].name.lowerBound }
        let start = index > 0 ? members[index - 1].value.upperBound : members[index].name.lowerBound
        return start..<members[index].value.upperBound
    }

    /// The members of the object that a valid document is.
    private static func members(of body: [UInt8]) -> [Member] {
        var members: [Member] = []
        var position = (body.firstIndex(of: UInt8(ascii: "{")) ?? 0) + 1
        while let start = body[position...].firstIndex(of: UInt8(ascii: "\"")) {
            let name = start..<endOfString(body, from: start)
            guard let colon = body[name.upperBound...].firstIndex(of: UInt8(ascii: ":")) else { break }
            let value = valueRange(body, after: colon)
            members.append(Member(name: name, value: value))
            position = value.upperBound
        }
        return members
    }

    private static func endOfString(_ body: [UInt8], from start: Int) -> Int {
        var position = start + 1
        while body[position] != UInt8(ascii: "\"") { position += body[position] == UInt8(ascii: "\\") ? 2 : 1 }
        return position + 1
    }

    private static func valueRange(_ body: [UInt8], after colon: Int) -> Range<Int> {
        let start = body[(colon + 1)...].firstIndex { $0 > 0x20 } ?? body.count
        var depth = 0
        var position = start
        while position < body.count {
            switch body[position] {
            case UInt8(ascii: "\""): position = endOfString(body, from: position)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return trimmed(body, start..<position) }
                depth -= 1
                position += 1
            case UInt8(ascii: ",") where depth == 0: return trimmed(body, start..<position)
            default: position += 1
            }
        }
        return trimmed(body, start..<position)
    }

    private static func trimmed(_ body: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var range = range
        while let last = range.last, body[last] <= 0x20 { range = range.lowerBound..<last }
        return range
    }
}
