internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Lint

extension LintSubject {
    /// A push that a device got, and what is known around it.
    ///
    /// - Parameter hasHistory: Whether it is compared with the pushes before it.
    init(_ notification: Notification, in gateway: Gateway, hasHistory: Bool) {
        let around = notification.context
        let isDescribed = gateway.simulator.app(around.app.bundleID) != nil
        self.init(payload: notification.push.payload.span.bytes, app: isDescribed ? around.app : nil)
        content = notification.content
        locale = around.device.locale
        pushType = notification.push.pushType
        isCommunication = notification.outcome?.isCommunication ?? false
        identifier = notification.identifier
        now = notification.push.receivedAt
        duplicateWindow = around.assumptions.duplicateWindow
        guard hasHistory else { return }
        history = LintHistory(
            of: around.app.bundleID, on: notification.device, before: notification.sequence, in: gateway.simulator)
    }
}

extension LintHistory {
    /// How many earlier pushes are looked at.
    private static let depth = 200

    /// What an app got on a device.
    ///
    /// - Parameter number: Only what came before this notification.
    init(of bundleID: String, on device: String, before number: UInt64, in simulator: DeviceSimulator) {
        self.init()
        var query = NotificationQuery(device: device, limit: 1000)
        var pushes: [Notification] = []
        while true {
            let page = simulator.notifications(query)
            let known = page.items.prefix { $0.sequence < number }
            pushes += known.filter { $0.context.app.bundleID == bundleID }
            pushes.removeFirst(max(0, pushes.count - Self.depth))
            guard page.hasMore, known.count == page.items.count else { break }
            query.since = page.next
        }
        for push in pushes { add(push) }
    }

    private mutating func add(_ notification: Notification) {
        let around = notification.context
        let content = notification.content
        if content.statesLevel || content.hasAlert { levels.append(content.interruptionLevel) }
        if let badge = content.badge {
            self.badge = badge
            badgesWithoutAlert = content.hasAlert ? 0 : badgesWithoutAlert + 1
        } else {
            badgesWithoutAlert = 0
        }
        guard content.hasAlert else { return }
        let text = content.localized(app: around.app, locale: around.device.locale)
        earlier.append(
            Earlier(
                identifier: notification.identifier, title: text.title, subtitle: text.subtitle, body: text.body,
                at: notification.push.receivedAt,
                isListed: !notification.places.isDisjoint(with: [.lockScreen, .notificationCenter])))
    }
}
