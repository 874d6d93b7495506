internal import APNs
package import DeviceModel
internal import DeviceSimulator
package import ExtensionHost
internal import Fields
internal import JSON
internal import LiveModel
internal import Time

/// `UNUserNotificationCenter` for service extensions while they process a push.
extension Gateway {
    /// Answers a call; with a journal, once its changes are on disk. Calls that are not simulated return no result.
    /// - Parameter reply: Called once, on any thread.
    package func notificationCenter(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest, _ reply: @escaping CenterReply.Handler
    ) {
        let app = request.app.bundleID
        switch call.name {
        case "deliveredNotifications": reply(.result(deliveredNotifications(of: request)))
        case "pendingRequests": reply(.result(pendingRequests(of: request)))
        case "removePending": perform(.removePending(identifiers: call.identifiers, app: app), for: request, reply)
        case "removeAllPending": perform(.removeAllPending(app: app), for: request, reply)
        case "removeDelivered": perform(.removeDelivered(identifiers: call.identifiers, app: app), for: request, reply)
        case "removeAllDelivered": perform(.removeAllDelivered(app: app), for: request, reply)
        case "setBadgeCount":
            guard case .integer(let count) = call.arguments["count"] else {
                return reply(.refused("count is missing or not a whole number"))
            }
            perform(.setBadge(count: count, app: app), for: request, reply)
        case "add": add(call, of: request, reply)
        case "setCategories": setCategories(call, of: request, reply)
        case "categories": reply(.result(categories(of: request)))
        default: reply(.done)
        }
    }

    private func perform(_ act: DeviceAct, for request: ExtensionRequest, _ reply: @escaping CenterReply.Handler) {
        perform(reply) { () throws(SimulatorError) in try simulator.perform(act, by: request, at: now()) }
    }

    private func perform(_ input: LocalInput, for request: ExtensionRequest, _ reply: @escaping CenterReply.Handler) {
        perform(reply) { () throws(SimulatorError) in
            try simulator.perform(.local(input), on: request.device, at: now(), by: request)
        }
    }

    private func perform(_ reply: @escaping CenterReply.Handler, _ change: () throws(SimulatorError) -> Void) {
        let rollbackCount = keeper?.rollbackCount ?? 0
        do throws(SimulatorError) {
            try change()
        } catch {
            return reply(.refused(error.message))
        }
        guard let keeper else { return reply(.done) }
        keeper.onOutcome(since: rollbackCount) { [self] outcome in
            reply(outcome == .written ? .done : .refused(unstored.diagnosis.message))
        }
    }

    private static let categoryProblemLimit = 20

    /// Replaces the app's categories. Skips invalid ones and lists their `problems` in the reply.
    private func setCategories(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest, _ reply: @escaping CenterReply.Handler
    ) {
        guard case .array(let list) = call.arguments["categories"] else {
            return reply(.result(["problems": .strings(["categories is missing; accepted: a list of categories"])]))
        }
        var categories: [NotificationCategory] = []
        var problems: [String] = []
        for (index, json) in list.enumerated() {
            guard problems.count < Self.categoryProblemLimit else {
                problems.append("the other \(list.count - index) categories are not read")
                break
            }
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
        let report: JSONValue = problems.isEmpty ? .null : ["problems": .strings(problems)]
        perform(.setCategories(categories, app: request.app.bundleID), for: request) { outcome in
            reply(outcome == .done ? .result(report) : outcome)
        }
    }

    private func categories(of request: ExtensionRequest) -> JSONValue {
        let apps = simulator.appsOnDevice(request.device)
        let app = apps.first { $0.app.bundleID == request.app.bundleID }?.app ?? request.app
        return .array(app.categories.map { $0.json })
    }

    private func add(
        _ call: ExtensionRun.CenterCall, of request: ExtensionRequest, _ reply: @escaping CenterReply.Handler
    ) {
        guard case .object(let members) = call.arguments["request"] else {
            return reply(.refused("request is missing or not an object"))
        }
        do throws(FieldError) {
            perform(.add(try localRequest(members, of: request.app.bundleID)), for: request, reply)
        } catch {
            reply(.refused(error.problems.map(\.description).joined(separator: "; ")))
        }
    }

    /// - Parameter members: `UNNotificationRequest` as the extension sent it. Its content is read as that of an answer, so
    ///   that unknown members do not matter.
    private func localRequest(_ members: JSONObject, of bundleID: String) throws(FieldError) -> LocalRequest {
        var members = members
        guard let json = members["content"] else {
            throw FieldError(problems: [.missing("content", at: FieldPath(), accepted: "an object")])
        }
        let content = try ExtensionAnswer(json, changing: NotificationContent(), store: { _ in nil }).content
        members["content"] = nil
        members["app"] = .string(bundleID)
        var local = LocalRequest()
        try local.apply(.object(members))
        local.content = content
        return local
    }

    private func pendingRequests(of request: ExtensionRequest) -> JSONValue {
        let pending = simulator.live(of: request.device).local.pending(of: request.app.bundleID)
        return .array(
            pending.map { item in
                item.request.json.adding(["nextTriggerDate": item.nextTriggerDate.map { .string($0.text) }])
            })
    }

    private func deliveredNotifications(of request: ExtensionRequest) -> JSONValue {
        let own = simulator.screen(of: request.device, at: now())?.delivered(to: request.app.bundleID)
        return .array(
            (own ?? []).map { notification in
                var content = notification.content
                content.userInfo = content.userInfo ?? JSONValue(notification.push.payload.span.bytes)
                return .object([
                    "date": .string(notification.settledAt.text),
                    "request": .object([
                        "identifier": .string(notification.identifier), "content": content.json,
                        "trigger": notification.isLocal ? .null : ["type": .string("push"), "repeats": .bool(false)],
                    ]),
                ])
            })
    }
}

extension CenterReply {
    fileprivate static var done: Self { .result(.null) }
}

extension ExtensionRun.CenterCall {
    fileprivate var identifiers: [String] {
        guard case .array(let values) = arguments["identifiers"] else { return [] }
        return values.compactMap(\.string)
    }
}
