internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import LiveModel
internal import Time

/// What the person sees on a device, and which notifications its apps can read.
extension AdminAPI {
    var screenEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/screen", .events, "What the person can see on the device", id: "screen",
                answer: "Lock screen and Notification Center in stacks, newest first.", errors: [404]
            ) { request in ScreenAnswer(try screen(request)) },
            Endpoint(
                .get, "/devices/{name}/delivered", .events, "The result of an app's `getDeliveredNotifications`",
                id: "delivered", answers: [.ok("The notifications, newest first.", "DeliveredNotifications")],
                errors: [404], query: ["app"]
            ) { request in
                guard let app = request.query["app"] else {
                    throw AdminError.badRequest("'app' is missing: the bundle identifier of the app.")
                }
                let delivered = try screen(request).delivered(to: app)
                return Response(json: ["notifications": .array(delivered.map { JSONValue(delivered: $0) })])
            },
        ]
    }

    func screen(_ request: AdminRequest) throws -> Screen {
        let device = try self.device(request).name
        return try gateway.simulator.screen(of: device, at: gateway.now()).found(
            or: "There is no device '\(device)'.")
    }
}

extension JSONValue {
    /// A notification in an app's list of delivered ones.
    fileprivate init(delivered notification: Notification) {
        self = [
            "identifier": .string(notification.identifier),
            "notification": .integer(notification.sequence),
            "date": .time(notification.settledAt),
            "content": notification.localizedContent.json,
        ]
    }
}

extension ScreenAnswer {
    init(_ screen: Screen) {
        let device = screen.conditions
        func card(_ notification: Notification) -> Card { Self.card(notification, on: screen) }
        func stacks(_ stacks: [Screen.Stack]) -> [Stack] { stacks.map { Stack($0, on: screen) } }
        self.init(
            at: screen.at, timeZone: device.timeZone, locale: device.locale, isPoweredOn: device.isPoweredOn,
            isLocked: device.isLocked, isScreenOn: device.isScreenOn, foregroundApp: device.foregroundApp,
            focus: device.focus.activeMode.map { Focus(id: $0.id, name: $0.name) },
            banner: screen.banner.map(card), lockScreen: stacks(screen.stacks(screen.lockScreen)),
            notificationCenter: stacks(screen.stacks(screen.notificationCenter, promotesCommunication: true)),
            summary: screen.summary(in: screen.notificationCenter + screen.lockScreen).map {
                Summary(count: $0.count, notifications: $0.featured.map(card))
            },
            nextSummary: screen.upcomingSummary.map {
                Summary(at: $0.at, count: $0.count, notifications: $0.notifications?.map(card))
            },
            badges: JSONObject(
                screen.apps.map(\.app.bundleID).map { ($0, screen.badge(of: $0)) }.filter { $0.1 > 0 }.map {
                    ($0, .integer($1))
                }),
            prompts: screen.questions,
            activities: screen.activities == ActivitySurfaces() ? nil : screen.activities)
    }
}

extension ScreenAnswer.Stack {
    fileprivate init(_ stack: Screen.Stack, on screen: Screen) {
        let (top, count) = (stack.notifications[0], stack.notifications.count)
        self.init(
            app: top.context.app.bundleID, thread: top.content.threadIdentifier.ifAny, count: count, text: stack.text,
            notifications: stack.notifications.map { ScreenAnswer.card($0, on: screen, count: count) })
    }
}

extension ScreenAnswer {
    fileprivate static func card(_ notification: Notification, on screen: Screen, count: Int = 1) -> Card {
        let text = screen.displayed(notification, count: count)
        let buttons = notification.category?.buttons(screen.assumptions) ?? []
        let suggestion = text.isHidden ? nil : notification.suggestion(on: screen.conditions)
        return Joined(
            Place(
                notification: notification.sequence, identifier: notification.identifier,
                at: notification.settledAt,
                section: notification.isUnderFocus ? Presentation.focusSection : nil),
            Joined(
                DisplayedTextAnswer(text, of: notification),
                Choices(
                    suggestion: suggestion.map { Joined(SuggestionKind(), $0) },
                    buttons: buttons.isEmpty ? nil : buttons.map { Button($0) })))
    }
}
