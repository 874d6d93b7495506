internal import Gateway
internal import Hummingbird

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
