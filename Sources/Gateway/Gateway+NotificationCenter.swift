internal import APNs
public import DeviceModel
internal import DeviceSimulator
internal import Foundation

/// `UNUserNotificationCenter` for service extensions: what they ask of the device while they have a push.
extension Gateway {
    /// Answers a call; what changes something has happened when this returns.
    ///
    /// What the gateway does not simulate, such as pending requests, is kept with the run and answered with nothing.
    public func notificationCenter(_ call: ExtensionRun.CenterCall, of request: ExtensionRequest) -> JSONValue? {
        let app = request.app.bundleID
        switch call.name {
        case "deliveredNotifications": return deliveredNotifications(of: request)
        case "pendingRequests": return .array([])
        case "removeDelivered": perform(.removeDelivered(identifiers: call.identifiers, app: app), for: request)
        case "removeAllDelivered": perform(.removeAllDelivered(app: app), for: request)
        case "setBadgeCount":
            if case .integer(let count) = call[argument: "count"] {
                perform(.setBadge(count: count, app: app), for: request)
            }
        case "add": add(call, of: request)
        case "setCategories": return setCategories(call, of: request)
        case "categories": return categories(of: request)
        default: break
        }
        return .null
    }

    private func perform(_ act: DeviceAct, for request: ExtensionRequest) {
        // What the device refuses, such as a badge below 0, changes nothing.
        _ = try? simulator.perform(act, on: request.device, at: now())
    }

    /// Replaces the app's categories on the device.
    ///
    /// - Returns: What is wrong with those that were left out, as `problems`.
    private func setCategories(_ call: ExtensionRun.CenterCall, of request: ExtensionRequest) -> JSONValue {
        guard case .array(let list) = call[argument: "categories"] else {
            return .object(["problems": .array([.string("categories is missing; accepted: a list of categories")])])
        }
        var categories: [NotificationCategory] = []
        var problems: [String] = []
        for (index, json) in list.enumerated() {
            let path = FieldPath().member("categories").element(index)
            var category = NotificationCategory()
            do throws(FieldError) {
                try category.apply(json, at: path)
                categories.removeAll { $0.identifier == category.identifier }
                categories.append(category)
            } catch {
                problems += error.problems.map(\.description)
            }
        }
        perform(.setCategories(categories, app: request.app.bundleID), for: request)
        return problems.isEmpty ? .null : .object(["problems": .array(problems.map { .string($0) })])
    }

    private func categories(of request: ExtensionRequest) -> JSONValue {
        let apps = simulator.appsOnDevice(request.device)
        let app = apps.first { $0.app.bundleID == request.app.bundleID }?.app ?? request.app
        return .array(app.categories.map { JSONValue($0.json) })
    }

    /// A local notification that is due at once; one that waits for a trigger is only kept with the run.
    private func add(_ call: ExtensionRun.CenterCall, of request: ExtensionRequest) {
        guard case .object(let members) = call[argument: "request"], members["trigger"] ?? .null == .null else {
            return
        }
        guard let json = members["content"],
            let content = try? ExtensionAnswer(json, changing: NotificationContent(), keep: { _ in nil }).content,
            let payload = try? JSONEncoder().encode(content.payload),
            let registration = simulator.notification(request.notification)?.registration
        else { return }
        var local = LocalPush(
            Array(payload), to: request.device, topic: registration.topic, environment: registration.environment,
            pushType: "alert")
        if case .string(let identifier) = members["identifier"], !identifier.isEmpty, identifier.utf8.count <= 64 {
            local.collapseID = identifier
        }
        _ = try? push(local)
    }

    /// What of the app can be found in Notification Center.
    private func deliveredNotifications(of request: ExtensionRequest) -> JSONValue {
        let shown = simulator.screen(of: request.device)?.notificationCenter ?? []
        let own = shown.filter { $0.circumstances.app.bundleID == request.app.bundleID }
        return .array(
            own.map { notification in
                var content = notification.content
                content.userInfo = content.userInfo ?? JSONValue(notification.push.payload.span.bytes)
                return .object([
                    "date": .string(notification.settledAt.text),
                    "request": .object([
                        "identifier": .string(notification.identifier), "content": JSONValue(content.json),
                        "trigger": .object(["type": .string("push"), "repeats": .bool(false)]),
                    ]),
                ])
            })
    }
}

extension ExtensionRun.CenterCall {
    fileprivate subscript(argument name: String) -> JSONValue? {
        if case .object(let members) = arguments { members[name] } else { nil }
    }

    fileprivate var identifiers: [String] {
        guard case .array(let values) = self[argument: "identifiers"] else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
