internal import APNs
internal import DeviceSimulator
internal import Gateway
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

/// What this gateway is, where it listens, and how much it holds.
struct InformationRoute: Sendable {
    let gateway: Gateway
    let information: @Sendable () -> ServerInformation

    var endpoint: Endpoint {
        Endpoint(.get, "/info") { _ in
            Response(json: JSONValue(information(), of: gateway))
        }
    }
}

extension JSONValue {
    init(_ information: ServerInformation, of gateway: Gateway) {
        let settings = gateway.settings
        let counters = gateway.simulator.counters
        let addresses = information.addresses
        self = [
            "version": .string(information.version),
            "seed": .integer(gateway.seed),
            "profile": .string(information.profile),
            "startedAt": .time(information.startedAt),
            "environment": .string(settings.defaultEnvironment.rawValue),
            "authMode": .string(settings.authenticationMode.rawValue),
            "addresses": [
                "provider": .strings(addresses.provider), "clearText": .strings(addresses.clearText),
                "proxy": .strings(addresses.proxy), "admin": .strings(addresses.admin),
            ],
            "certificate": information.certificate.map {
                [
                    "caFingerprint": .string($0.authorityFingerprint), "caFile": .string($0.authorityFile),
                    "notAfter": .time($0.notAfter),
                ]
            },
            "demonstrationKey": information.demonstrationKey.map {
                ["keyId": .string($0.keyID), "teamId": .string($0.teamID), "file": .string($0.file)]
            },
            "counts": [
                "devices": .integer(counters.devices), "apps": .integer(counters.apps),
                "notifications": .integer(counters.notifications), "requests": .integer(gateway.requestCounts.total),
                "connections": .integer(gateway.openConnectionCount), "keys": .integer(gateway.keys.keys.count),
            ],
        ]
    }
}
