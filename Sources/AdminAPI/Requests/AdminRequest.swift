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

    /// The device that the path names, whether there is one or not.
    func deviceName() throws(AdminError) -> String {
        let name = try parameter("name")
        guard DeviceName.isValid(name) else { throw .badRequest("A device's name has \(DeviceName.rule).") }
        return name
    }

    /// The app that the path names.
    func bundleID() throws(AdminError) -> String {
        try checkedTopic(try parameter("bundleId"), field: "bundleId")
    }

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
    func members(isNeeded: Bool = false) async throws -> [String: JSONValue] {
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
        try await object(accepting: Value.fieldNames).apply(to: &value)
    }

    /// The body as a JSON object.
    func object(accepting names: [String]) async throws -> RequestObject {
        try RequestObject(try await members(), accepting: names)
    }
}
