internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import JSON

/// What a device shows, on its way to JSON.
struct ScreenView {
    let screen: Screen
    let now: Instant
    let assumptions: Assumptions
    private let apps: [String: AppOnDevice]

    init(_ screen: Screen, at now: Instant, assumptions: Assumptions) {
        self.screen = screen
        self.now = now
        self.assumptions = assumptions
        apps = Dictionary(screen.apps.map { ($0.app.bundleID, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var json: JSONValue {
        let device = screen.conditions
        return [
            "at": .time(now),
            "isLocked": .bool(device.isLocked),
            "isScreenOn": .bool(device.isScreenOn),
            "foregroundApp": device.foregroundApp.map { .string($0) },
            "focus": device.focus.activeMode.map { ["id": .string($0.id), "name": .string($0.name)] },
            "lockScreen": stacks(screen.lockScreen),
            "notificationCenter": stacks(screen.notificationCenter, promotesCommunication: true),
            "nextSummary": nextSummary,
            "badges": badges,
            "prompts": .array(screen.apps.compactMap(prompt)),
        ]
    }

    /// The numbers on the icons, which a Focus may hide; they count on underneath.
    private var badges: JSONValue {
        let isHidden = screen.conditions.focus.activeMode?.hidesBadges == true
        let shown = isHidden ? [] : screen.apps.filter { $0.badge > 0 }
        return .object(JSONObject(shown.map { ($0.app.bundleID, .integer($0.badge)) }))
    }

    // MARK: Lists

    private func stacks(_ newestFirst: [Notification], promotesCommunication: Bool = false) -> JSONValue {
        // A stack goes by its newest notification, which is the latest to be shown and not the latest to be sent.
        let count = UInt64(newestFirst.count)
        let ranked = Dictionary(uniqueKeysWithValues: newestFirst.enumerated().map { (count - UInt64($0), $1) })
        let items = ranked.map { rank, notification in
            InboxItem(
                sequence: rank, app: notification.context.app.bundleID,
                thread: notification.content.threadIdentifier,
                summaryFormat: notification.category?.summaryFormat,
                isCommunication: notification.outcome?.isCommunication == true)
        }
        let stacks = InboxStack.stacks(of: items) { apps[$0]?.settings.grouping ?? .automatic }
        return .array((promotesCommunication ? InboxStack.promoted(stacks) : stacks).map { stack($0, ranked) })
    }

    private func stack(_ stack: InboxStack, _ ranked: [UInt64: Notification]) -> JSONValue {
        let count = stack.others.count + 1
        let cards = ([stack.leading] + stack.others).compactMap { ranked[$0.sequence] }.map { card($0, count: count) }
        return [
            "app": .string(stack.leading.app),
            "thread": .nonEmpty(stack.leading.thread),
            "count": .integer(count),
            "text": .nonEmpty(stack.text(in: SystemLanguage(locale: screen.conditions.locale))),
            "notifications": .array(cards),
        ]
    }

    private func card(_ notification: Notification, count: Int = 1) -> JSONValue {
        let settings = apps[notification.context.app.bundleID]?.settings ?? notification.context.settings
        let text = notification.displayed(
            notification.content, device: screen.conditions, settings: settings, count: count)
        let buttons = notification.category?.buttons(in: .detailView, assumptions: assumptions) ?? []
        let head: JSONValue = [
            "notification": .integer(notification.sequence),
            "identifier": .string(notification.identifier),
            "at": .time(notification.settledAt),
            "section": notification.isUnderFocus ? .string(Presentation.focusSection) : nil,
        ]
        let suggestion = text.isHidden ? nil : notification.suggestion(on: screen.conditions)
        return head.adding(JSONValue(text, on: notification.device)).adding([
            "suggestion": suggestion.map { JSONValue($0) },
            "buttons": buttons.isEmpty ? nil : .array(buttons.map { JSONValue($0) }),
        ])
    }

    // MARK: Beside the lists

    /// The person sees what waits only when they asked for that; else how much it is.
    private var nextSummary: JSONValue? {
        let summary = screen.conditions.summary
        guard summary.isEnabled else { return nil }
        let time = LocalCalendar(timeZone: screen.conditions.timeZone).flatMap {
            summary.nextDelivery(after: now, calendar: $0)
        }
        return [
            "at": time.map { .time($0) },
            "count": .integer(screen.nextSummary.count),
            "notifications": summary.showsNext ? .array(screen.nextSummary.map { card($0) }) : nil,
        ]
    }

    private func prompt(_ app: AppOnDevice) -> JSONValue? {
        app.prompt.map { prompt in
            [
                "app": .string(app.app.bundleID),
                "prompt": .string(prompt.rawValue),
                "choices": .strings(
                    prompt.choices(isSummaryOn: screen.conditions.summary.isEnabled).map(\.rawValue)),
            ]
        }
    }
}

extension JSONValue {
    init(_ button: ActionButton) {
        self = [
            "identifier": .string(button.identifier),
            "title": .string(button.title),
            "glyph": button.glyph.map { .string($0) },
            "isRed": .bool(button.isRed),
            "opensApp": .bool(button.opensApp),
            "needsUnlock": .bool(button.needsUnlock),
            "takesText": .bool(button.textInput != nil),
        ]
    }
}
