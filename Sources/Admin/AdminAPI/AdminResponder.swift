internal import APNs
internal import DeviceSimulator
internal import Dispatch
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Answers every request: access checks, clock, journal, the endpoint, and conversion of errors to responses.
struct AdminResponder: Sendable {
    let gateway: Gateway
    let table: EndpointTable
    let webPages: WebPageCheck
    let token: TokenCheck?
    let page: PageFiles?
    let configuration: AdminConfiguration
    let logger: Logger
    private let redaction: AnswerRedaction
    private let scans = ScanExecutor()

    init(_ api: AdminAPI) {
        gateway = api.gateway
        table = api.table
        webPages = WebPageCheck(allowedHosts: api.configuration.allowedHosts)
        (token, redaction) = (api.token, api.redaction)
        page = api.configuration.hasPage ? PageFiles() : nil
        (configuration, logger) = (api.configuration, api.logger)
    }

    @Sendable func respond(to request: Request) async throws -> Response {
        var response = try await answer(request)
        let settings = gateway.settings
        if settings.redactsDeviceTokens || settings.redactsKeyIDs {
            response.body = response.body.map { [self] buffer in
                ByteBuffer(bytes: redaction.redact(Array(buffer.readableBytesView), of: gateway))
            }
        }
        for field in Self.protection { response.headers[field.name] = field.value }
        return request.method == .head ? response.createHeadResponse() : response
    }

    /// Keeps browsers from guessing types, and pages of other origins from embedding answers.
    private static let protection: HTTPFields = [
        .xContentTypeOptions: "nosniff", .named("referrer-policy"): "no-referrer",
        .named("cross-origin-opener-policy"): "same-origin", .crossOriginResourcePolicy: "same-origin",
    ]

    private func answer(_ request: Request) async throws -> Response {
        let path = request.uri.path
        do {
            try webPages.check(request)
            if let response = page?.answer(request) { return response }
            let found = table.endpoints(at: path)
            let isOpen = found.contains(where: \.isOpen)
            if !isOpen { try token?.check(request) }
            try table.checkParts(of: path)
            guard let endpoint = found.endpoint(of: request.method) else {
                return page?.answerToUnknownAddress(request)
                    ?? table.problem(method: request.method, path: path).response
            }
            // Health checks and certificates show no state of devices: nothing due and nothing journaled.
            if isOpen { return try await answer(request, of: endpoint) }
            return try await withTaskExecutorPreference(request.mayScan ? scans : nil) {
                try await journaled(request) {
                    // The request must see everything due by now.
                    await gateway.runDue()
                    return try await answer(request, of: endpoint)
                }
            }
        } catch let error as HTTPParserError {
            // Hummingbird answers these and closes the connection.
            throw error
        } catch {
            if let error = AdminError(error) { return error.response }
            let path = String(decoding: redaction.redact(Array(path.utf8), of: gateway), as: UTF8.self)
            logger.error("Admin request failed", metadata: ["path": "\(path)", "error": "\(error)"])
            return AdminError.unexpected.response
        }
    }

    private func answer(_ request: Request, of endpoint: Endpoint) async throws -> Response {
        let query = try RequestQuery(request.uri.query ?? "", accepting: endpoint.query)
        let request = AdminRequest(request: request, path: endpoint.path, query: query, configuration: configuration)
        if endpoint.method == .delete { try await request.refuseBody() }
        return try await endpoint.answer(request)
    }

    /// Delays the response until the journal has stored everything it shows: a crash must not undo what a client saw.
    private func journaled(_ request: Request, answer: () async throws -> Response) async throws -> Response {
        // Metrics show no journaled state.
        guard let keeper = gateway.keeper, Endpoint.unversioned(request.uri.path) != "/metrics" else {
            return try await answer()
        }
        if let suspension = keeper.suspension { throw AdminError.unavailable("\(suspension).") }
        if let problem = keeper.problem, request.method != .get, request.method != .head {
            throw AdminError.unavailable("The journal cannot be written: \(problem.description).")
        }
        let rollbackCount = keeper.rollbackCount
        let response = try await answer()
        guard await keeper.awaitOutcome(since: rollbackCount) == .written else {
            let reason = keeper.problem?.description ?? "It was temporarily unwritable; try again"
            throw AdminError.unavailable("The journal cannot be written: \(reason).")
        }
        return response
    }
}

extension Request {
    /// Whether it has conditions, whose regular expressions may take seconds for many long texts.
    fileprivate var mayScan: Bool { uri.query?.contains("where") ?? false || uri.path.hasSuffix("/verify") }
}

/// One thread for requests with conditions, so that Swift's threads answer all others.
private final class ScanExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "scans")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
