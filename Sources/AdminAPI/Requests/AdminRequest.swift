internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Hummingbird
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle

/// A request as the routes see it: found, allowed, and its query known.
struct AdminRequest: Sendable {
    let request: Request
    let context: AdminContext
    let query: RequestQuery
    let configuration: AdminConfiguration

    /// A part of the path, decoded.
    func parameter(_ name: String) throws(AdminError) -> String {
        guard let text = context.parameters[name[...]] else { preconditionFailure("the path has no {\(name)}") }
        guard let decoded = percentDecoded(text), !decoded.isEmpty else {
            throw .badRequest("'\(name)' in the path is not percent-encoded UTF-8.")
        }
        return decoded
    }

    /// The value that a part of the path is.
    func parameter<Value>(_ name: String, _ format: FieldFormat<Value>) throws -> Value {
        try format.value(of: try parameter(name), at: name)
    }

    /// The device that the path names, whether there is one or not.
    func deviceName() throws(AdminError) -> String {
        let name = try parameter("name")
        guard DeviceName.isValid(name) else { throw .badRequest("A device's name has \(DeviceName.rule).") }
        return name
    }

    /// The app that the path names.
    func bundleID() throws -> String { try parameter("bundleId", .topic) }

    /// The number that a part of the path is.
    func number<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type) throws(AdminError) -> Number {
        let text = try parameter(name)
        guard let number = Number(text) else {
            throw .badRequest("'\(name)' in the path is '\(text.prefix(40))'; it must be a whole number.")
        }
        return number
    }

    /// The body; what is larger than the limit is not read.
    func body(limit: Int? = nil) async throws -> [UInt8] {
        let limit = limit ?? configuration.maximumBodyByteCount
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw AdminError.tooLarge(limit: limit)
        }
        let body = request.body
        do {
            // A client that stops in mid-body must not hold up the end.
            let buffer = try await cancelWhenGracefulShutdown { try await body.collect(upTo: limit) }
            return Array(buffer: buffer)
        } catch is NIOTooManyBytesError {
            throw AdminError.tooLarge(limit: limit)
        } catch let error where !(error is CancellationError || error is HTTPParserError) {
            throw AdminError.badRequest("The body ended early.")
        }
    }

    /// The members of the body, a JSON object. Blanks or a NUL are something, and no JSON.
    ///
    /// - Parameter isNeeded: Whether there must be a body; if not, nothing at all counts as `{}`.
    func members(isNeeded: Bool = false) async throws -> JSONObject {
        let body = try await body()
        if body.isEmpty, !isNeeded { return [:] }
        if case .invalid(let problem) = PayloadScan(body.span.bytes) {
            throw AdminError.badRequest("The body is \(problem.message).")
        }
        guard case .object(let members) = JSONValue(body.span.bytes) else {
            throw AdminError.badRequest("The body must be a JSON object.")
        }
        return members
    }

    /// Changes what the body names of a value, through the table of its type; nothing when something is wrong.
    func apply<Value: FieldDescribed>(to value: inout Value) async throws {
        try value.apply(.object(try await members()))
    }

    /// The body as a JSON object, in which `null` is a mistake.
    func object(accepting names: [String]) async throws -> MemberReader {
        let reader = MemberReader(.object(try await members()), accepting: names, refusesNull: true)
        try reader.finish()
        return reader
    }

    /// The body as a description of something that is made whole, so that there is nothing that `null` could take back.
    func description(isNeeded: Bool = false) async throws -> JSONValue {
        let body = JSONValue.object(try await members(isNeeded: isNeeded))
        try body.refuseNull()
        return body
    }
}

extension JSONValue {
    /// Rejects `null`: an object that is replaced as a whole has nothing to reset.
    func refuseNull(at path: FieldPath = FieldPath()) throws(AdminError) {
        if let path = firstNull(at: path) {
            throw .badRequest("'\(path)' is null; give it a value or leave it out.")
        }
    }

    /// Where the first `null` is, in the alphabetical order of members.
    private func firstNull(at path: FieldPath = FieldPath()) -> FieldPath? {
        switch self {
        case .null: path
        case .bool, .integer, .number, .string, .verbatim: nil
        case .array(let elements):
            elements.enumerated().lazy.compactMap { $0.element.firstNull(at: path.element($0.offset)) }.first
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.firstNull(at: path.member($0.key)) }.first
        }
    }
}
