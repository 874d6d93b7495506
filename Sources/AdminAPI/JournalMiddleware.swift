internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// Answers once what was done, and what is shown, is on disk: nobody sees what a crash could still undo.
struct JournalMiddleware: RouterMiddleware {
    let keeper: JournalKeeper
    let table: EndpointTable

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        // Health, metrics and the authority's certificate show nothing that could be undone.
        if table.isOpen(request.uri.path) || request.uri.path.hasSuffix("/metrics") {
            return try await next(request, context)
        }
        if let problem = keeper.problem, request.method != .get, request.method != .head {
            throw AdminError.notKept("The journal cannot be written: \(problem.description).")
        }
        let rollbackCount = keeper.rollbackCount
        let response = try await next(request, context)
        guard await keeper.awaitOutcome(since: rollbackCount) == .written else {
            let reason = keeper.problem?.description ?? "It was temporarily unwritable; try again"
            throw AdminError.notKept("The journal cannot be written: \(reason).")
        }
        return response
    }
}

/// Lets everything happen that is due before a request looks at it.
struct ClockMiddleware: RouterMiddleware {
    let gateway: Gateway

    func handle(
        _ request: Request, context: AdminContext, next: (Request, AdminContext) async throws -> Response
    ) async throws -> Response {
        gateway.settle()
        return try await next(request, context)
    }
}
