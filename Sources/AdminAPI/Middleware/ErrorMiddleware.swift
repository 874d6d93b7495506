internal import Fields
internal import Hummingbird
internal import Logging
internal import NIOHTTP1

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
