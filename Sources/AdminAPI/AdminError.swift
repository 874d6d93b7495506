internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Hummingbird
internal import JSON
internal import Logging
internal import NIOHTTP1

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
        var response = Response(ErrorAnswer(error: message, status: status.code), status: status)
        switch self {
        case .unauthorized: response.headers[.wwwAuthenticate] = "Bearer"
        case .methodNotAllowed(let allowed): response.headers[.allow] = allowed.joined(separator: ", ")
        default: break
        }
        return response
    }
}

extension AdminError {
    /// Problems that one answer tells; more help nobody.
    private static let toldProblems = 10

    /// What a table of fields found wrong, one sentence for each problem.
    init(_ error: FieldError) {
        let sentences = error.problems.prefix(Self.toldProblems).map { problem in
            // Double quotes would have to be escaped in JSON.
            let text = "'\(problem.path)' \(problem.message)".map { $0 == "\"" ? "'" : String($0) }.joined()
            return text.hasSuffix("?") ? text : text + "."
        }
        self = .badRequest(sentences.joined(separator: " "))
    }
}

extension AdminError {
    /// Why the simulator refuses: 404 for what there is not, 409 for what cannot be now, 400 for what can never be.
    init(_ error: SimulatorError) {
        let message = Self.sentence(error.message)
        self =
            switch error {
            case .noSuchDevice: .notFound(message)
            case .tooManyDevices, .tokenTaken, .noSuchNotification, .notListed, .noPrompt, .summaryOff, .noSuggestion,
                .poweredOff:
                .conflict(message)
            case .notKept: .notKept(message)
            case .unknownFocus, .unknownAction, .textMismatch, .negativeBadge, .wrongChoice, .twoTokens:
                .badRequest(message)
            }
    }

    /// A message as a sentence, without double quotes, which would have to be escaped in JSON.
    static func sentence(_ message: String) -> String {
        let text = String(message.map { $0 == "\"" ? "'" : $0 })
        return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
    }
}

/// Runs something that the simulator may refuse.
@discardableResult
func simulated<Result>(_ body: () throws(SimulatorError) -> Result) throws(AdminError) -> Result {
    do throws(SimulatorError) {
        return try body()
    } catch {
        throw AdminError(error)
    }
}

/// Makes every failure an answer of the one shape.
struct ErrorMiddleware: RouterMiddleware {
    let table: EndpointTable

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as AdminError {
            return error.response
        } catch let error as FieldError {
            return AdminError(error).response
        } catch let error as HTTPError where error.status == .notFound {
            return table.problem(method: request.method, path: request.uri.path).response
        } catch let error as HTTPError {
            return AdminError.badRequest(error.body ?? "The request is invalid.").response
        } catch let error as HTTPParserError {
            // Hummingbird answers these, and closes the connection.
            throw error
        } catch is CancellationError {
            return AdminError.stopping.response
        } catch {
            context.logger.error(
                "Admin request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return AdminError.unexpected.response
        }
    }
}
