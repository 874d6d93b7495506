internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Memory
internal import Synchronization

/// State that a reset can preserve. It always preserves keys.
private enum StatePart: String, CaseIterable {
    case devices, apps, requests, faults
}

private let loadingThreads = AlternatingThreads()

extension AdminAPI {
    var stateEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/state", .state, "Apps, devices, tokens and notifications with all events, for `PUT /state`",
                id: "state", answers: [.ok("The state.", "State")]
            ) { request in
                let state = gateway.simulator.saveState()
                return Response(to: request.configuration) { write in
                    defer { FreedMemory.giveBack() }
                    try await state.parts.write(write)
                }
            },
            Endpoint(
                .put, "/state", .state, "Replace everything by a saved state; idempotent", id: "putState",
                about: "An unknown or repeated member is rejected with its path; then nothing changes.",
                body: .required("State"), answers: [.ok("The counts after loading.", "StateCounts")]
            ) { request in
                let limit = request.configuration.maximumStateByteCount
                defer { FreedMemory.giveBack() }
                let body = Mutex<[UInt8]?>(try await request.body(limit: limit))
                try await loadingThreads.run {
                    try gateway.load(StateBody.snapshot(in: body.withLock { $0.take()! }))
                }
                let counters = gateway.simulator.counters
                return Response(json: [
                    "status": .string("loaded"), "devices": .integer(counters.devices),
                    "apps": .integer(counters.apps), "notifications": .integer(counters.notifications),
                ])
            },
            Endpoint(
                .post, "/reset", .state, "Remove everything except keys; numbers continue", id: "reset",
                body: .optional("NewReset"), answers: [.ok("The state was reset.", "Reset")]
            ) { request in
                let body = try await request.object(accepting: ["keep"])
                let preserved = body.value("keep", .list(.word(StatePart.self))) ?? []
                try body.finish()
                var scope: ResetScope = []
                if preserved.contains(.devices) { scope.insert(.devices) }
                if preserved.contains(.apps) { scope.insert(.apps) }
                await gateway.reset(keeping: scope)
                if !preserved.contains(.requests) { gateway.requestLog.removeAll() }
                if !preserved.contains(.faults) { gateway.resetFaults() }
                FreedMemory.giveBack()
                return Response(json: ["status": .string("reset")])
            },
        ]
    }
}
