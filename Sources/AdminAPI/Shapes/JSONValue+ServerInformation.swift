internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import JSON

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
