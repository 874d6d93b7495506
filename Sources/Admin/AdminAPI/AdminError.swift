internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore

/// Why the admin API rejects a request; the message names the field and the remedy.
struct AdminError: Error {
    var status: HTTPResponse.Status
    var message: String
    var headers: HTTPFields = [:]

    static func badRequest(_ message: String) -> Self { Self(status: .badRequest, message: message) }
    static func forbidden(_ message: String) -> Self { Self(status: .forbidden, message: message) }
    static func notFound(_ message: String) -> Self { Self(status: .notFound, message: message) }
    static func conflict(_ message: String) -> Self { Self(status: .conflict, message: message) }
    static func unavailable(_ message: String) -> Self { Self(status: .serviceUnavailable, message: message) }

    static func tooLarge(limit: Int) -> Self {
        Self(status: .contentTooLarge, message: "The body is larger than \(limit) bytes.")
    }

    /// - Parameter creation: The path that PUT creates a member of the collection at.
    static func methodNotAllowed(_ method: HTTPRequest.Method, accepted: [String], creation: String? = nil) -> Self {
        let list = accepted.joined(separator: ", ")
        let hint = creation.map { "; to create one, PUT \($0)" } ?? ""
        return Self(
            status: .methodNotAllowed,
            message: "\(method.rawValue.prefix(20)) is not accepted here, only \(list)\(hint).", headers: [.allow: list]
        )
    }

    private static func noAccess(_ message: String) -> Self {
        Self(status: .unauthorized, message: message, headers: [.wwwAuthenticate: "Bearer"])
    }

    static let unauthorized = noAccess(
        "This address requires a bearer token: send 'Authorization: Bearer <token>' with the value of `admin.token`.")
    static let wrongToken = noAccess("The token is wrong: send the value of `admin.token`.")
    static let unmarkedSession = noAccess(
        "A session's cookie is accepted only with 'Sec-Fetch-Site: same-origin' or an equal 'Origin'. Browsers send the "
            + "former to localhost and over HTTPS: use one of them, or send a bearer token.")

    static func tooManyWrongTokens(retryAfter: Duration) -> Self {
        let seconds = max(1, Int((retryAfter / .seconds(1)).rounded(.up)))
        return Self(
            status: .tooManyRequests,
            message:
                "\(WrongTokens.limit) requests in 10 seconds had a wrong token; send the value of `admin.token`, or try again "
                + "in \(seconds) s.",
            headers: [.retryAfter: "\(seconds)"])
    }

    static let unsupportedMediaType = Self(
        status: .unsupportedMediaType,
        message: "A browser must label the body as JSON: send 'Content-Type: application/json'.")
    static let unexpected = Self(
        status: .internalServerError, message: "Internal error; see the gateway's log.")

    var response: Response {
        var response = Response(ErrorAnswer(error: message, status: status.code), status: status)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension Optional {
    /// - Throws: 404 with the message for nil.
    func found(or message: @autoclosure () -> String) throws(AdminError) -> Wrapped {
        guard let self else { throw .notFound(message()) }
        return self
    }
}

extension AdminError {
    /// `nil` if the error is a defect of the gateway.
    init?(_ error: any Error) {
        switch error {
        case let error as AdminError: self = error
        case let error as FieldError: self.init(error)
        case let error as SimulatorError: self.init(error)
        case let error as SimulatedClock.Problem: self = .conflict(Self.sentence(error.message))
        case let error as FaultPlan.Refusal: self.init(error)
        case let error as SnapshotError: self = .badRequest(Self.sentence("The snapshot is invalid: \(error.message)"))
        case let error as APNsRejection: self.init(error)
        case is CancellationError: self = .unavailable("The gateway is stopping.")
        default: return nil
        }
    }

    private static let maximumReportedProblems = 10

    private init(_ error: FieldError) {
        let sentences = error.problems.prefix(Self.maximumReportedProblems).map { problem in
            Self.sentence("'\(problem.path)' \(problem.message)")
        }
        self = .badRequest(sentences.joined(separator: " "))
    }

    /// 404 for a missing object, 409 for a conflict with the current state, 400 for a request that is never valid.
    private init(_ error: SimulatorError) {
        let message = Self.sentence(error.message)
        self =
            switch error {
            case .noSuchDevice: .notFound(message)
            case .live(let error):
                switch error.kind {
                case .missing: .notFound(message)
                case .conflict: .conflict(message)
                case .invalid: .badRequest(message)
                }
            case .tooManyDevices, .noRoom, .deviceExists, .tokenTaken, .noSuchApp, .noSuchNotification, .notListed,
                .noPrompt, .summaryOff, .noSuggestion, .poweredOff, .tooManyShares:
                .conflict(message)
            case .journalUnwritable: .unavailable(message)
            case .unknownFocus, .unknownAction, .textMismatch, .negativeBadge, .wrongChoice, .twoTokens:
                .badRequest(message)
            }
    }

    private init(_ refusal: FaultPlan.Refusal) {
        switch refusal {
        case .nameIsTaken(let name):
            self = .conflict(
                "Duplicate fault rule '\(name.prefix(200))'; remove it with DELETE "
                    + "/api/v1/faults/{name}, or give this one another name.")
        case .tooMany:
            self = .conflict(
                "The limit is \(FaultPlan.maximumRuleCount) fault rules; remove some with DELETE /api/v1/faults/{name}."
            )
        case .tooManySteps(let count):
            self = .conflict(
                "The regular expressions of all fault rules have \(count) steps together; the limit is "
                    + "\(FaultPlan.maximumPatternStepCount). A repetition such as {2,50} counts as often as it repeats: use * or +, "
                    + "or remove rules with DELETE /api/v1/faults/{name}.")
        }
    }

    private init(_ rejection: APNsRejection) {
        let message = "\(rejection.reason.rawValue): \(rejection.diagnosis.message)"
        switch rejection.reason {
        case .serviceUnavailable where rejection.diagnosis.code == "journal.unwritable": self = .unavailable(message)
        case .serviceUnavailable: self = .conflict(message)
        case .payloadTooLarge: self = Self(status: .contentTooLarge, message: message)
        default: self = .badRequest(message)
        }
    }

    /// Ends with a full stop unless with a question mark. Replaces double quotes, which JSON would escape. An identifier
    /// at its start, such as `com.example.app`, stays as it is.
    static func sentence(_ message: String) -> String {
        let text = String(message.map { $0 == "\"" ? "'" : $0 })
        let word = text.prefix { $0 != " " }
        let isWord = word.allSatisfy { $0.isLetter && !$0.isUppercase || ",:;'’".contains($0) }
        let start = isWord ? text.prefix(1).uppercased() : String(text.prefix(1))
        return start + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
    }
}
