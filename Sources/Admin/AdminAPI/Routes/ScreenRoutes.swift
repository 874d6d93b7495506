internal import APNs
internal import Clients
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON
internal import LiveModel
internal import Time

/// What the person sees on a device, and which notifications its apps can read.
extension AdminAPI {
    var screenEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/screen", .events, "What the person can see on the device", id: "screen",
                answers: [.ok("Lock screen and Notification Center in stacks, newest first.", .of(ScreenAnswer.self))],
                errors: [404]
            ) { request in
                Response(try screenView(request).answer)
            },
            Endpoint(
                .get, "/devices/{name}/delivered", .events, "The result of an app's `getDeliveredNotifications`",
                id: "delivered", answers: [.ok("The notifications, newest first.", "DeliveredNotifications")],
                errors: [404], query: ["app"]
            ) { request in
                guard let app = request.query["app"] else {
                    throw AdminError.badRequest("'app' is missing: the bundle identifier of the app.")
                }
                let delivered = delivered(to: app, try screen(request))
                return Response(json: ["notifications": .array(delivered)])
            },
        ]
    }

    func screenView(_ request: AdminRequest) throws -> ScreenView {
        let (screen, now) = (try screen(request), gateway.now())
        let live = gateway.simulator.liveScreen(of: try request.deviceName(), at: now)
        return ScreenView(screen: screen, live: live, now: now, assumptions: gateway.simulator.assumptions)
    }

    private func screen(_ request: AdminRequest) throws -> Screen {
        let device = try self.device(request).name
        return try gateway.simulator.screen(of: device).found(or: "There is no device '\(device)'.")
    }

    /// The result of an app's `getDeliveredNotifications` (I.6), newest first.
    private func delivered(to app: String, _ screen: Screen) -> [JSONValue] {
        let assumptions = gateway.simulator.assumptions
        let waiting = assumptions.deliveredListsDeferred ? screen.nextSummary : []
        return (screen.notificationCenter + waiting).filter { notification in
            guard notification.context.app.bundleID == app else { return false }
            return assumptions.deliveredListsSilenced || !notification.places.contains(.withheld)
        }.map { notification in
            let context = notification.context
            let content = notification.content.localized(in: context)
            return [
                "identifier": .string(notification.identifier),
                "notification": .integer(notification.sequence),
                "date": .time(notification.settledAt),
                "content": content.json,
            ]
        }
    }
}

struct ScreenView {
    let screen: Screen
    let live: LiveScreen
    let now: Instant
    let assumptions: Assumptions

    var answer: ScreenAnswer {
        let device = screen.conditions
        return ScreenAnswer(
            at: now.text, timeZone: device.timeZone, locale: device.locale, isPoweredOn: device.isPoweredOn,
            isLocked: device.isLocked, isScreenOn: device.isScreenOn, foregroundApp: device.foregroundApp,
            focus: device.focus.activeMode.map { ScreenAnswer.Focus(id: $0.id, name: $0.name) },
            banner: banner.map { card($0) }, lockScreen: stacks(screen.lockScreen).map(stack),
            notificationCenter: stacks(screen.notificationCenter, promotesCommunication: true).map(stack),
            summary: summary(in: screen.notificationCenter + screen.lockScreen).map { summary in
                ScreenAnswer.Summary(count: summary.count, notifications: summary.featured.map { card($0) })
            },
            nextSummary: nextSummary, badges: badges, prompts: prompts,
            activities: live == LiveScreen() ? nil : live)
    }

    private func isRecent(_ notification: Notification) -> Bool {
        (0..<Presentation.bannerTime).contains(now.milliseconds(since: notification.settledAt))
    }

    /// The banner over the current app; a persistent one stays until the person acts on it.
    var banner: Notification? {
        let device = screen.conditions
        guard device.isPoweredOn, device.isInUse else { return nil }
        return screen.banners.first { notification in
            notification.outcome?.presentation.contains(.persistentBanner) == true || isRecent(notification)
        }
    }

    /// Whether the person turned it on or an alert just lit it.
    var isLit: Bool {
        screen.conditions.isScreenOn
            || screen.lockScreen.contains { isRecent($0) && $0.outcome?.presentation.contains(.screenLit) == true }
    }

    /// The notifications of delivered summaries that are still there; nil without.
    func summary(in list: [Notification]) -> (count: Int, featured: [Notification])? {
        let members = list.filter(\.isSummarized)
        let items = Dictionary(members.map { ($0.sequence, $0) }) { first, _ in first }
        let card = SummaryCard(of: items.values.map(\.summaryItem), assumptions: assumptions)
        return card.map { (items.count, $0.featured.compactMap { items[$0] }) }
    }

    /// The numbers on the icons; a Focus may hide them.
    private var badges: JSONObject {
        JSONObject(
            screen.apps.map(\.app.bundleID).map { ($0, badge(of: $0)) }.filter { $0.1 > 0 }.map { ($0, .integer($1)) })
    }

    func badge(of bundleID: String) -> Int {
        if screen.conditions.focus.activeMode?.hidesBadges == true { return 0 }
        guard let app = screen.apps.first(where: { $0.app.bundleID == bundleID }), app.settings.allowsAnything,
            app.settings.badge == .enabled
        else { return 0 }
        return app.badge
    }

    func stacks(_ newestFirst: [Notification], promotesCommunication: Bool = false) -> [[Notification]] {
        // The list is in display order, which can differ from sending order.
        var stacks = newestFirst.grouped { notification in
            let app = notification.context.app.bundleID
            return InboxStack.Key(
                app: app, thread: notification.content.threadIdentifier, sequence: notification.sequence,
                grouping: settings(of: app)?.grouping ?? .automatic)
        }
        if promotesCommunication { stacks = InboxStack.promoted(stacks) { $0.outcome?.isCommunication == true } }
        return stacks
    }

    private func stack(_ notifications: [Notification]) -> ScreenAnswer.Stack {
        let leading = notifications[0]
        return ScreenAnswer.Stack(
            app: leading.context.app.bundleID, thread: leading.content.threadIdentifier.ifAny,
            count: notifications.count, text: text(of: notifications),
            notifications: notifications.map { card($0, count: notifications.count) })
    }

    /// The line about a stack's other notifications.
    func text(of stack: [Notification]) -> String? {
        let language = SystemLanguage(locale: screen.conditions.locale)
        return InboxStack.text(of: stack, in: language) { $0.category?.summaryFormat }?.ifAny
    }

    func displayed(_ notification: Notification, count: Int = 1) -> DisplayedText {
        let settings = settings(of: notification.context.app.bundleID) ?? notification.context.settings
        return notification.displayed(
            notification.content, device: screen.conditions, settings: settings, count: count)
    }

    private func card(_ notification: Notification, count: Int = 1) -> ScreenAnswer.Card {
        let text = displayed(notification, count: count)
        let buttons = notification.category?.buttons(assumptions) ?? []
        let suggestion = text.isHidden ? nil : notification.suggestion(on: screen.conditions)
        return Joined(
            ScreenAnswer.Place(
                notification: notification.sequence, identifier: notification.identifier,
                at: notification.settledAt.text,
                section: notification.isUnderFocus ? Presentation.focusSection : nil),
            Joined(
                DisplayedTextAnswer(text, of: notification),
                ScreenAnswer.Choices(
                    suggestion: suggestion.map { Joined(SuggestionKind(), $0) },
                    buttons: buttons.isEmpty ? nil : buttons.map { ScreenAnswer.Button($0) })))
    }

    private func settings(of bundleID: String) -> NotificationSettings? {
        screen.apps.first { $0.app.bundleID == bundleID }?.settings
    }

    /// Lists notifications only if the person enabled that; otherwise only counts them.
    private var nextSummary: ScreenAnswer.Summary? {
        let summary = screen.conditions.summary
        guard summary.isEnabled else { return nil }
        let time = screen.conditions.calendar.flatMap { summary.nextDelivery(after: now, calendar: $0) }
        return ScreenAnswer.Summary(
            at: time?.text, count: screen.nextSummary.count,
            notifications: summary.showsNext ? screen.nextSummary.map { card($0) } : nil)
    }

    /// The system's prompts about apps.
    var prompts: [ScreenAnswer.Prompt] {
        screen.apps.compactMap { app in
            app.prompt.map { prompt in
                ScreenAnswer.Prompt(
                    app: app.app.bundleID, prompt: prompt.rawValue,
                    text: prompt.question(about: app.app.displayName.ifAny ?? app.app.bundleID),
                    choices: prompt.choices(isSummaryOn: screen.conditions.summary.isEnabled))
            }
        }
    }
}

extension Prompt {
    /// Our wording; the system's is unknown.
    fileprivate func question(about app: String) -> String {
        switch self {
        case .timeSensitiveIntro: "“\(app)” alerts you with Time Sensitive notifications at once. Leave them on?"
        case .timeSensitiveReview: "“\(app)” has been sending Time Sensitive notifications. Leave them on?"
        case .provisional: "“\(app)” delivers its notifications quietly. Keep them?"
        }
    }
}

extension DeviceAct.PromptChoice {
    var words: String {
        switch self {
        case .leaveOn: "Leave on"
        case .turnOff: "Turn off"
        case .keep: "Keep"
        case .keepInSummary: "Keep in the summary"
        }
    }
}

extension Notification {
    /// Whether a scheduled summary delivered it.
    var isSummarized: Bool { outcome?.timing == .deferredToSummary && !places.contains(.nextSummary) }

    var summaryItem: SummaryItem { SummaryItem(content, sequence: sequence, app: context.app.bundleID) }

    /// The attachment whose thumbnail it shows.
    var thumbnail: NotificationAttachment? {
        content.attachments.first { attachment in
            let family = AttachmentType(ofFileNamed: "", hint: attachment.type)?.family
            return attachment.sha256 != nil && family != .audio && attachment.options?.thumbnailHidden != true
        }
    }

    /// - Parameter count: Size of the stack, for placeholders.
    func displayed(
        _ content: NotificationContent, device: DeviceConditions, settings: NotificationSettings, count: Int = 1
    ) -> DisplayedText {
        let app = context.app
        let communication = content.communication.map {
            CommunicationDisplay(
                of: $0, appName: app.displayName, language: SystemLanguage(locale: device.locale),
                assumptions: context.assumptions)
        }
        return DisplayedText(
            content, app: app, device: device, settings: settings, level: outcome?.level ?? .active,
            communication: outcome?.isCommunication == true ? communication : nil, count: count)
    }
}
