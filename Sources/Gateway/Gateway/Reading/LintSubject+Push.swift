package import APNs
package import DeviceModel
package import DeviceSimulator
internal import JSON
package import Lint
internal import LiveModel
internal import RequestWire

extension LintSubject {
    /// A push by itself, without its outcome on the device.
    package init(_ push: Push, app: App?) {
        self.init(payload: push.payload.span.bytes, app: app)
        pushType = push.pushType
        topic = push.request.value(of: .apnsTopic)
        identifier = push.collapseID ?? ""
        now = push.receivedAt
        expiration = push.expiration
        hasCollapseID = push.collapseID != nil
    }

    /// - Parameter hasHistory: Whether to compare with earlier notifications.
    init(_ notification: Notification, in gateway: Gateway, hasHistory: Bool) {
        let context = notification.context
        let isDescribed = gateway.simulator.app(context.app.bundleID) != nil
        self.init(notification.push, app: isDescribed ? context.app : nil)
        undeclaredApp = isDescribed ? nil : context.app.bundleID
        content = notification.content
        locale = context.device.locale
        isCommunication = notification.outcome?.isCommunication ?? false
        identifier = notification.identifier
        duplicateWindow = context.assumptions.duplicateWindow
        notes = notification.activity?.notes
        guard hasHistory else { return }
        history = LintHistory(
            of: context.app.bundleID, on: notification.device, before: notification.sequence, in: gateway.simulator)
    }
}

extension LintHistory {
    /// The app's last 200 notifications on a device before this one.
    package init(of bundleID: String, on device: String, before number: UInt64, in simulator: DeviceSimulator) {
        self.init()
        var query = NotificationQuery(device: device, before: number, limit: 200)
        query.condition = .init(dependsOnState: false) { $0.context.app.bundleID == bundleID }
        let mine = simulator.notifications(query).items.reversed()
        let removed = Self.removed(from: device, after: number, in: simulator)
        for push in mine { add(push, isRemovedLater: removed.contains(push.sequence)) }
        // What the device discards wakes no app.
        let background = mine.filter { $0.kind == .background && $0.state.kind != .discarded }
        guard !background.isEmpty else { return }
        let next = simulator.notifications(NotificationQuery(device: device, since: number - 1, limit: 1)).items.first
        let end = next?.receivedEvent ?? .max
        // With the app, iOS forgets when it was woken.
        let acts = simulator.events(EventQuery(device: device, kinds: [.act], limit: .max)).items
        let uninstall = acts.last {
            $0.number < end && $0.app == bundleID && $0.details["action"] == .string(Self.uninstall)
        }
        backgroundPushes = background.filter { $0.receivedEvent > uninstall?.number ?? 0 }.map(\.push.receivedAt)
    }

    private static let uninstall = DeviceAct.uninstall(app: "").name

    /// The notifications that left the lists after another one arrived.
    private static func removed(
        from device: String, after number: UInt64, in simulator: DeviceSimulator
    ) -> Set<UInt64> {
        guard let arrival = simulator.notification(number)?.receivedEvent else { return [] }
        let query = EventQuery(device: device, kinds: [.removed, .replaced], since: arrival, limit: .max)
        return Set(simulator.events(query).items.compactMap(\.notification))
    }

    private mutating func add(_ notification: Notification, isRemovedLater: Bool) {
        let context = notification.context
        let content = notification.content
        if content.statedLevel != nil || content.hasAlert { levels.append(content.interruptionLevel) }
        if let badge = content.badge {
            self.badge = badge
            badgesWithoutAlert = content.hasAlert ? 0 : badgesWithoutAlert + 1
        } else {
            badgesWithoutAlert = 0
        }
        guard content.hasAlert else { return }
        let text = content.localized(in: context)
        earlier.append(
            Earlier(
                text, identifier: notification.identifier, at: notification.push.receivedAt,
                isListed: isRemovedLater || !notification.places.isDisjoint(with: [.lockScreen, .notificationCenter])))
    }
}
