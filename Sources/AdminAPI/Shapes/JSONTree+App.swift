internal import DeviceModel
internal import DeviceSimulator

extension JSONTree {
    init(_ app: App) {
        self = [
            "bundleId": .string(app.bundleID), "displayName": .string(app.displayName),
            "team": app.team.map { .string($0) }, "entitlements": .strings(app.entitlements),
        ]
    }
}
