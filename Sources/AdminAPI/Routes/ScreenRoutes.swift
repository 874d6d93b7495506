internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// What the person sees on a device, and what its apps hear of that.
struct ScreenRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/devices/{name}/screen") { request in
                let view = ScreenView(
                    try screen(request), at: gateway.now(), assumptions: gateway.simulator.assumptions)
                return Response(json: view.json)
            },
            Endpoint(.get, "/devices/{name}/delivered", query: ["app"]) { request in
                guard let app = request.query["app"] else {
                    throw AdminError.badRequest("'app' is missing: the bundle identifier of the app.")
                }
                let delivered = delivered(to: app, try screen(request))
                return Response(json: ["notifications": .array(delivered)])
            },
        ]
    }

    private func screen(_ request: AdminRequest) throws(AdminError) -> Screen {
        let device = try gateway.device(named: try request.deviceName())
        guard let screen = gateway.simulator.screen(of: device.name) else {
            throw AdminError(.noSuchDevice(device.name))
        }
        return screen
    }

    /// What `getDeliveredNotifications` gives an app (I.6), newest first.
    private func delivered(to app: String, _ screen: Screen) -> [JSONValue] {
        let assumptions = gateway.simulator.assumptions
        let waiting = assumptions.deliveredListsDeferred ? screen.nextSummary : []
        return (screen.notificationCenter + waiting).filter { notification in
            guard notification.context.app.bundleID == app else { return false }
            return assumptions.deliveredListsSilenced || !notification.places.contains(.withheld)
        }.map { notification in
            let around = notification.context
            let content = notification.content.localized(app: around.app, locale: around.device.locale)
            return [
                "identifier": .string(notification.identifier),
                "notification": .integer(notification.sequence),
                "date": .time(notification.settledAt),
                "content": content.json,
            ]
        }
    }
}
