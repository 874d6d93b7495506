internal import APNs
internal import DeviceSimulator
internal import Dispatch
internal import Gateway
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

typealias AdminContext = BasicRequestContext

/// Wraps every request: access checks, clock, journal, and conversion of errors to responses.
struct AdminMiddleware: RouterMiddleware {
    let gateway: Gateway
    let table: EndpointTable
    let webPages: WebPageCheck
    let token: TokenCheck?
    let page: PageFiles?
    private let redaction = AnswerRedaction()
    private let scans = ScanExecutor()

    init(gateway: Gateway, table: EndpointTable, webPages: WebPageCheck, token: TokenCheck?, page: PageFiles?) {
        (self.gateway, self.table, self.webPages, self.token, self.page) = (gateway, table, webPages, token, page)
    }

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        var response = try await answer(request, context, next)
        let settings = gateway.settings
        if settings.redactsDeviceTokens || settings.redactsKeyIDs {
            response.body = response.body.map { [self] buffer in
                ByteBuffer(bytes: redacted(Array(buffer.readableBytesView)))
            }
        }
        for field in Self.protection { response.headers[field.name] = field.value }
        // Hummingbird does so only for addresses with a GET.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func redacted(_ bytes: [UInt8]) -> [UInt8] {
        redaction.redact(bytes, as: gateway.settings, keyIDs: gateway.keys.keys.map(\.keyID))
    }

    /// Keeps browsers from guessing types, and pages of other origins from embedding answers.
    private static let protection: HTTPFields = [
        .xContentTypeOptions: "nosniff", .named("referrer-policy"): "no-referrer",
        .named("cross-origin-opener-policy"): "same-origin", .crossOriginResourcePolicy: "same-origin",
    ]

    private func answer(
        _ request: Request, _ context: AdminContext, _ next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        do {
            try webPages.check(request)
            if let response = page?.answer(request) { return response }
            let isOpen = table.isOpen(request.uri.path)
            if !isOpen { try token?.check(request) }
            try table.checkParts(of: request.uri.path)
            // Health checks and certificates show no state of devices: nothing due and nothing journaled.
            if isOpen { return try await next(request, context) }
            return try await withTaskExecutorPreference(request.mayScan ? scans : nil) {
                try await journaled(request) {
                    // The request must see everything due by now.
                    await gateway.runDue()
                    return try await next(request, context)
                }
            }
        } catch let error as HTTPError where error.status == .notFound {
            return page?.answerToUnknownAddress(request)
                ?? table.problem(method: request.method, path: request.uri.path).response
        } catch let error as HTTPParserError {
            // Hummingbird answers these and closes the connection.
            throw error
        } catch {
            if let error = AdminError(error) { return error.response }
            let path = String(decoding: redacted(Array(request.uri.path.utf8)), as: UTF8.self)
            context.logger.error("Admin request failed", metadata: ["path": "\(path)", "error": "\(error)"])
            return AdminError.unexpected.response
        }
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
