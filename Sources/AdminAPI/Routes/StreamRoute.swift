internal import HTTPTypes
internal import Hummingbird

extension AdminAPI {
    var streamEndpoint: Endpoint {
        Endpoint(.get, "/events/stream", query: StreamQuery.names) { request in
            let query = try StreamQuery(request.query, lastEventID: request.request.headers[.lastEventID])
            let reader = try feed.open(after: query.position)
            let view = StreamView(api: self, filter: query.filter)
            let requestBody = request.request.body
            // Without a body, as for HEAD, the reader leaves at once.
            let body = ResponseBody { writer in
                var stream = EventStream(reader, view)
                // The stream ends when the client disconnects.
                try await requestBody.consumeWithCancellationOnInboundClose { _ in
                    try await stream.run { try await writer.write($0) }
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: Self.streamHeaders, body: body)
        }
    }

    private static let streamHeaders: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        // Without it, nginx buffers the messages.
        .named("x-accel-buffering"): "no",
        // Watching for a disconnect makes the connection unusable.
        .connection: "close",
    ]
}

extension HTTPField.Name {
    fileprivate static let lastEventID = named("last-event-id")
}
