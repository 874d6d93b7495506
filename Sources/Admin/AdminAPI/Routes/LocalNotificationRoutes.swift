internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import LiveModel

/// Local notifications that apps schedule on a device, and the device's place.
extension AdminAPI {
    var localNotificationEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/local-notifications", .events,
                "The pending local notifications of a device's apps, in the order of their addition",
                id: "localNotifications", answer: "What is pending.", errors: [404], query: ["app"]
            ) { request in
                let schedule = try schedule(of: try request.deviceName())
                let app = request.query["app"]
                let pending = schedule.pending.filter { app == nil || $0.request.app == app }
                return PendingAnswer(localNotifications: pending.map(\.answer))
            },
            Endpoint(
                .post, "/devices/{name}/local-notifications", .events,
                "Schedule a local notification, as an app does", id: "scheduleLocalNotification",
                about: """
                    When it fires, it becomes a notification of the device like a push; without a trigger, at once. A
                    pending request of the app with the same identifier is replaced. What iOS refuses with an error or
                    an exception is rejected with its `UNError`. A request that iOS accepts but never fires has a
                    finding.
                    """,
                body: .required("NewLocalRequest"),
                answer: "It is pending, or was delivered at once, or never fires.", status: .created,
                errors: [404, 409]
            ) { request in
                let device = try self.device(request).name
                let local = try LocalRequest(json: try await request.description(isNeeded: true))
                let events = try gateway.perform(.local(.add(local)), on: device)
                return ScheduledAnswer(local, events)
            },
            Endpoint(
                .delete, "/devices/{name}/local-notifications", .events, "Remove pending local notifications",
                id: "removePendingLocalNotifications",
                about: "Those of all apps, of one, or one by its identifier. Delivered ones stay.",
                answers: [.removed], errors: [404, 409], query: ["app", "identifier"]
            ) { request in
                let device = try self.device(request).name
                let change = try gateway.perform(.local(try removal(request.query)), on: device) {
                    $0.live.local.pending.count
                }
                return Response(removed: change.before - change.after)
            },
            Endpoint(
                .get, "/devices/{name}/location", .events, "Where a device is", id: "location",
                answers: [.ok("Its place.", "DevicePlace")], errors: [404]
            ) { request in Response(json: try schedule(of: try request.deviceName()).place.json) },
            Endpoint(
                .put, "/devices/{name}/location", .events, "Move a device", id: "move",
                about: """
                    A local notification with a region fires when the device has been on the other side of its edge for
                    20 seconds. `{}` takes the device out of all regions.
                    """,
                body: .optional("NewDevicePlace"), answers: [.ok("Its place.", "DevicePlace")], errors: [404]
            ) { request in
                let device = try self.device(request).name
                let place = try DevicePlace(json: try await request.description())
                try gateway.perform(.local(.move(to: place)), on: device)
                return Response(json: place.json)
            },
        ]
    }

    private func schedule(of device: String) throws(AdminError) -> LocalSchedule {
        gateway.simulator.live(of: try gateway.device(named: device).name).local
    }

    private func removal(_ query: RequestQuery) throws(AdminError) -> LocalInput {
        guard let identifier = query["identifier"] else { return .removeAllPending(app: query["app"]) }
        guard let app = query["app"] else {
            throw .badRequest("'identifier' needs 'app': each app has its own identifiers.")
        }
        return .removePending(identifiers: [identifier], app: app)
    }
}

struct PendingAnswer: APIShape {
    var localNotifications: [JSONValue]

    static let shape = Shape(name: "PendingLocals", ["localNotifications": .list("PendingLocal")])
}

/// The result of scheduling.
struct ScheduledAnswer: APIShape {
    var nextTriggerDate: String?
    var notification: UInt64?
    var findings: [FindingAnswer]
    var events: [EventAnswer]

    static let shape = Shape([
        "nextTriggerDate": .ref("Time", "When it fires; absent for a region, and if it is not pending."),
        "notification": .positive("The notification, if it was delivered at once."),
    ])

    init(_ request: LocalRequest, _ events: [DeviceEvent]) {
        nextTriggerDate = events.last { $0.kind == .localScheduled }?.details["nextTriggerDate"]?.string
        // Others that were due come first.
        notification = request.trigger == nil ? events.last { $0.kind == .localFired }?.notification : nil
        let ids = events.compactMap { $0.details["finding"]?.string }
        findings = ids.compactMap { id in
            FindingRule.local.first { $0.id == id }.map { FindingAnswer($0.finding(at: "trigger")) }
        }
        self.events = events.map { EventAnswer($0) }
    }
}

extension PendingLocal {
    /// The request with the times that the device adds.
    fileprivate var answer: JSONValue {
        request.json.adding([
            "addedAt": .time(addedAt), "nextTriggerDate": nextTriggerDate.map { .time($0) },
        ])
    }
}
