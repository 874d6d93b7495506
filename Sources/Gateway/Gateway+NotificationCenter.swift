internal import APNs
public import DeviceModel
internal import DeviceSimulator

/// `UNUserNotificationCenter` for service extensions: what they ask of the device while they have a push.
extension Gateway {
    /// Answers a call; what changes something has happened when this returns.
    ///
    /// - Returns: What the call asks for; nil for a call that there is not, or that the device refuses.
    public func notificationCenter(_ call: ExtensionRun.CenterCall, of request: ExtensionRequest) -> JSONValue? {
        let app = request.app.bundleID
        switch call.name {
        case "deliveredNotifications": return deliveredNotifications(of: request)
        case "notificationSettings": return settings(of: request)
        case "removeDeliveredNotifications":
            return perform(.removeDelivered(identifiers: call.identifiers, app: app), for: request)
        case "removeAllDeliveredNotifications": return perform(.removeAllDelivered(app: app), for: request)
        case "setBadgeCount":
            guard case .integer(let count) = call.argument("count") else { return nil }
            return perform(.setBadge(count: count, app: app), for: request)
        case "notificationCategories": return JSONValue(.array(request.app.categories.map(\.json)))
        default: return nil
        }
    }

    private func perform(_ act: DeviceAct, for request: ExtensionRequest) -> JSONValue? {
        (try? simulator.perform(act, on: request.device, at: now())) == nil ? nil : .null
    }

    private func settings(of request: ExtensionRequest) -> JSONValue? {
        simulator.appsOnDevice(request.device).first { $0.app.bundleID == request.app.bundleID }
            .map { JSONValue($0.settings.json) }
    }

    /// What of the app can be found in Notification Center, the newest first.
    private func deliveredNotifications(of request: ExtensionRequest) -> JSONValue? {
        guard let screen = simulator.screen(of: request.device) else { return nil }
        let own = screen.notificationCenter.filter { $0.circumstances.app.bundleID == request.app.bundleID }
        return .array(
            own.map { notification in
                .object([
                    "identifier": .string(notification.identifier),
                    "date": .string(notification.settledAt.text),
                    "content": JSONValue(notification.content.json),
                ])
            })
    }
}

extension ExtensionRun.CenterCall {
    fileprivate func argument(_ name: String) -> JSONValue? {
        if case .object(let members) = arguments { members[name] } else { nil }
    }

    fileprivate var identifiers: [String] {
        guard case .array(let values) = argument("identifiers") else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
