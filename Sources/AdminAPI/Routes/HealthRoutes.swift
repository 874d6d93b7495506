internal import DeviceSimulator
internal import Hummingbird
internal import JSON

/// Whether the process lives, and whether it can be used.
struct HealthRoutes: Sendable {
    let isReady: @Sendable () -> Bool
    let keeper: JournalKeeper?

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/livez", isOpen: true) { _ in Response(json: ["status": .string("ok")]) },
            Endpoint(.get, "/readyz", isOpen: true) { [isReady, keeper] _ in
                guard isReady() else {
                    return Response(json: ["status": .string("starting")], status: .serviceUnavailable)
                }
                if let problem = keeper?.problem {
                    return Response(
                        json: ["status": .string("journal"), "reason": .string("\(problem)")],
                        status: .serviceUnavailable)
                }
                return Response(json: ["status": .string("ready")])
            },
        ]
    }
}
