internal import Hummingbird
internal import JSON

/// Why the admin API refuses a request; the message names the field and the remedy.
enum AdminError: Error {
    case badRequest(String)
    case unauthorized
    case forbidden(String)
    case notFound(String)
    case methodNotAllowed(allowed: [String])
    case conflict(String)
    case tooLarge(limit: Int)
    /// A web page's form.
    case unsupportedMediaType
    /// A payload that APNs would not take.
    case refusedPayload(String)
    /// The journal cannot be written.
    case notKept(String)
    case stopping
    case unexpected

    static func noNotification(_ id: UInt64) -> Self {
        .notFound("There is no notification \(id); it may have been cleared, or evicted from a full inbox.")
    }

    var status: HTTPResponse.Status {
        switch self {
        case .badRequest: .badRequest
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .conflict: .conflict
        case .tooLarge, .refusedPayload: .contentTooLarge
        case .unsupportedMediaType: .unsupportedMediaType
        case .notKept, .stopping: .serviceUnavailable
        case .unexpected: .internalServerError
        }
    }

    var message: String {
        switch self {
        case .badRequest(let message), .forbidden(let message), .notFound(let message), .conflict(let message),
            .refusedPayload(let message), .notKept(let message):
            message
        case .unauthorized:
            "This address requires a bearer token: send 'Authorization: Bearer <token>' with the value of "
                + "`admin.token`."
        case .methodNotAllowed(let allowed): "The method is not one of \(allowed.joined(separator: ", "))."
        case .tooLarge(let limit): "The body is larger than \(limit) bytes."
        case .unsupportedMediaType:
            "A browser must label the body as JSON: send 'Content-Type: application/json'."
        case .stopping: "The gateway is stopping."
        case .unexpected: "Internal error; see the gateway's log."
        }
    }

    var response: Response {
        var response = Response(
            json: ["error": .string(message), "status": .integer(status.code)], status: status)
        switch self {
        case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
        case .methodNotAllowed(let allowed): response.headers[.allow] = allowed.joined(separator: ", ")
        default: break
        }
        return response
    }
}
