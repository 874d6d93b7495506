internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import LiveModel
internal import Media
internal import Pictures
internal import Time

/// What a person sees, as SVG.
extension AdminAPI {
    var pictureEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/screen.svg", .events, "What the person can see on the device, as a picture",
                id: "screenPicture", answers: [.picture, .unmodified("The picture matches `If-None-Match`.")],
                errors: [404], query: ["form", "appearance"]
            ) { request in
                let view = try screen(request)
                let (asked, appearance) = (try request.form(), try request.appearance())
                var pictures = ScreenPictures(media: gateway.media)
                let svg =
                    switch asked ?? view.formInSight {
                    case .activity(let form):
                        ActivityPicture(view.activities.cards(in: form), form: form, appearance: appearance).svg
                    case .phone(let form):
                        PhonePicture(
                            pictures.screen(view, form: form, isAskedFor: asked != nil), form: form,
                            appearance: appearance
                        ).svg
                    }
                return request.svg(svg, appearance)
            },
            Endpoint(
                .get, "/notifications/{id}/picture.svg", .notifications,
                "What the person saw of one notification, at its time", id: "notificationPicture",
                answers: [.picture, .unmodified("The picture matches `If-None-Match`.")], errors: [404],
                query: ["form", "appearance"]
            ) { request in
                let appearance = try request.appearance()
                let svg = picture(of: try notification(request), in: try request.form(), appearance)
                return request.svg(svg, appearance)
            },
        ]
    }

    /// - Parameter form: nil for that in which the person saw it first.
    func picture(of notification: Notification, in form: PictureForm? = nil, _ appearance: Appearance) -> String {
        // The frontmost app shows its activity itself.
        let isInApp = notification.context.device.isForeground(notification.context.app.bundleID)
        let activity = isInApp ? nil : gateway.simulator.activityCard(of: notification).map { ActivityCard($0) }
        switch form ?? notification.formInSight {
        case .activity(let form):
            return ActivityPicture([activity].compactMap(\.self), form: form, appearance: appearance).svg
        case .phone(let form):
            var pictures = ScreenPictures(media: gateway.media)
            let moment = pictures.moment(of: notification, activity, form, gateway.simulator.assumptions)
            return PhonePicture(moment, form: form, appearance: appearance).svg
        }
    }
}

enum PictureForm {
    case phone(PhonePicture.Form)
    case activity(ActivityPicture.Form)
}

extension AdminRequest {
    fileprivate func form() throws -> PictureForm? {
        guard let name = query["form"] else { return nil }
        if let form = PhonePicture.Form(rawValue: name) { return .phone(form) }
        if let form = ActivityPicture.Form(rawValue: name) { return .activity(form) }
        throw unknownWord(
            "form", name, PhonePicture.Form.allCases.map(\.rawValue) + ActivityPicture.Form.allCases.map(\.rawValue))
    }

    func appearance() throws -> Appearance {
        try query.choice("appearance", of: Appearance.allCases, by: \.rawValue) ?? .light
    }

    /// A picture must load no resources and run no scripts, wherever a browser opens it.
    func svg(_ text: String, _ appearance: Appearance) -> Response {
        let bytes = Array(text.utf8)
        var response = Response(
            bytes: bytes, type: "image/svg+xml; charset=utf-8", tag: EntityTag(of: bytes), cacheControl: "no-cache",
            to: request)
        // Both palettes in one file need a style sheet.
        let style = appearance == .auto ? " style-src 'unsafe-inline';" : ""
        response.headers[.contentSecurityPolicy] = "default-src 'none'; img-src data:;\(style) sandbox"
        return response
    }
}

extension ActivitySurfaces {
    fileprivate func cards(in form: ActivityPicture.Form) -> [ActivityCard] {
        let cards: [Card] =
            switch form {
            case .liveActivity: lockScreen
            case .islandMinimal: island.minimal
            case .islandCompact: [island.compact].compactMap(\.self)
            case .islandExpanded: [island.expanded].compactMap(\.self)
            case .standBy: [standBy].compactMap(\.self)
            }
        return cards.map { ActivityCard($0) }
    }

    /// What a watch and a car show of Live Activities.
    fileprivate func subject(in form: PhonePicture.Form) -> ActivityCard? {
        switch form {
        case .watch: watch.first.map { ActivityCard($0) }
        case .carPlay: carPlay.first.map { ActivityCard($0) }
        case .lockScreen, .notificationCenter, .banner, .expanded, .homeIcon: nil
        }
    }
}

extension PictureScene.Card {
    fileprivate init(_ activity: ActivityCard, at instant: Instant) {
        self.init(app: activity.app, appName: activity.appName, at: instant, title: activity.title)
        body = activity.lines.joined(separator: " ")
    }
}

extension ActivityCard {
    fileprivate init(_ card: ActivitySurfaces.Card) {
        self.init(app: card.app, appName: card.appName, title: card.title, lines: card.lines)
    }
}

extension Screen {
    /// The form visible now.
    fileprivate var formInSight: PictureForm {
        if conditions.isLocked || !conditions.isScreenOn { return .phone(.lockScreen) }
        if banner != nil || activities.banner != nil { return .phone(.banner) }
        return activities.island.isExpanded ? .activity(.islandExpanded) : .phone(.notificationCenter)
    }
}

extension Notification {
    /// The form in which the person first saw it.
    fileprivate var formInSight: PictureForm {
        if let activity { return activity.formInSight(on: context.device) }
        let presentation = outcome?.presentation ?? Presentation(rawValue: 0)
        if presentation.contains(.banner) { return .phone(.banner) }
        return presentation.contains(.notificationCenter) && !presentation.contains(.lockScreen)
            ? .phone(.notificationCenter) : .phone(.lockScreen)
    }
}

extension ActivityDecision {
    fileprivate func formInSight(on device: DeviceConditions) -> PictureForm {
        switch alert?.presentation ?? .none {
        case .banner: return .phone(.banner)
        case .expanded: return .activity(.islandExpanded)
        case .lockScreen: return .phone(.lockScreen)
        case .none:
            guard device.isInUse else { return .phone(.lockScreen) }
            return device.hasDynamicIsland ? .activity(.islandCompact) : .phone(.notificationCenter)
        }
    }
}

/// Makes the values that pictures are drawn from.
private struct ScreenPictures {
    let media: MediaStore?
    /// How many more images to read; no picture draws more.
    private var imageCount = 4

    init(media: MediaStore?) { self.media = media }

    /// - Parameter isAskedFor: Whether the client named the form; else a dark screen is drawn dark.
    mutating func screen(_ view: Screen, form: PhonePicture.Form, isAskedFor: Bool) -> PictureScene {
        let device = view.conditions
        var screen = PictureScene(device, at: view.at)
        screen.call = view.call.map { ($0.name ?? "", $0.appName) }
        screen.speaker = view.speaker.map { $0.name ?? $0.appName }
        screen.isScreenOn = isAskedFor || view.isLit
        screen.prompt =
            view.questions.first.map { ($0.text, $0.choices.map(\.words)) }
            ?? view.activities.question.map { ($0.text, $0.choices.map(\.words)) }
        if form == .lockScreen || form == .notificationCenter {
            screen.activities = view.activities.lockScreen.map { ActivityCard($0) }
        }
        func rest(_ list: [Notification]) -> [Notification] { list.filter { !$0.isSummarized } }
        switch form {
        case .lockScreen:
            screen.lockScreen = view.stacks(rest(view.lockScreen)).map { stack($0, view) }
            screen.summary = summary(in: view.lockScreen, view)
        case .notificationCenter:
            let stacks = view.stacks(rest(view.notificationCenter), promotesCommunication: true)
            screen.notificationCenter = stacks.map { stack($0, view) }
            screen.summary = summary(in: view.notificationCenter, view)
        case .banner:
            screen.banner = view.banner.map { card($0, view.displayed($0), view.assumptions) }
            screen.activityBanner = view.activities.banner.map { ActivityCard($0) }
        case .expanded, .watch, .carPlay:
            let newest = view.newest { $0.isShown(in: form) }
            screen.subject =
                newest.map { card($0, view.displayed($0), view.assumptions) }
                ?? view.activities.subject(in: form).map { PictureScene.Card($0, at: view.at) }
        case .homeIcon: screen.subject = icon(view)
        }
        return screen
    }

    /// The icon of the newest notification's app, or of one that has a badge.
    private func icon(_ view: Screen) -> PictureScene.Card? {
        let newest = view.newest { _ in true }?.context.app
        let badged = ([newest].compactMap(\.self) + view.apps.map(\.app)).first { view.badge(of: $0.bundleID) > 0 }
        return (badged ?? newest).map { app in
            var icon = PictureScene.Card(app: app.bundleID, appName: app.displayName, at: view.at, title: "")
            icon.badge = view.badge(of: app.bundleID)
            return icon
        }
    }

    private mutating func stack(_ stack: Screen.Stack, _ view: Screen) -> PictureScene.Stack {
        let (top, count) = (stack.notifications[0], stack.notifications.count)
        return PictureScene.Stack(
            card(top, view.displayed(top, count: count), view.assumptions), count: count, text: stack.text)
    }

    private mutating func summary(in list: [Notification], _ view: Screen) -> PictureScene.Summary? {
        guard let summary = view.summary(in: list) else { return nil }
        return (summary.count, summary.featured.map { card($0, view.displayed($0), view.assumptions) })
    }

    /// One notification at its time, with the device as it was. What the person can read, they read on a lit screen.
    mutating func moment(
        of notification: Notification, _ activity: ActivityCard?, _ form: PhonePicture.Form, _ assumptions: Assumptions
    ) -> PictureScene {
        let context = notification.context
        var screen = PictureScene(context.device, at: notification.settledAt)
        if let service = notification.service, service.verdict == .delivered(.rings) {
            screen.call = (service.detail, context.app.displayName)
        }
        if let service = notification.service, service.verdict == .delivered(.speaks) {
            screen.speaker = service.detail.isEmpty ? context.app.displayName : service.detail
        }
        if let activity {
            (screen.activities, screen.isScreenOn) = ([activity], true)
            if form == .watch || form == .carPlay && context.device.isCarPlayConnected {
                screen.subject = PictureScene.Card(activity, at: notification.settledAt)
            }
            if notification.activity?.alert?.presentation == .banner { screen.activityBanner = activity }
        }
        guard notification.isShown, notification.isShown(in: form) else { return screen }
        let presentation = notification.outcome?.presentation ?? Presentation(rawValue: 0)
        screen.isScreenOn = true
        var subject = card(notification, notification.displayed, assumptions)
        let hidesBadges = context.device.focus.activeMode?.hidesBadges == true
        subject.badge = presentation.contains(.badge) && !hidesBadges ? notification.content.badge ?? 0 : 0
        screen.subject = subject
        if presentation.contains(.banner) { screen.banner = subject }
        if presentation.contains(.lockScreen) { screen.lockScreen = [PictureScene.Stack(subject)] }
        if presentation.contains(.notificationCenter) { screen.notificationCenter = [PictureScene.Stack(subject)] }
        return screen
    }

    // MARK: Cards

    private mutating func card(
        _ notification: Notification, _ text: DisplayedText, _ assumptions: Assumptions
    ) -> PictureScene.Card {
        var card = PictureScene.Card(
            app: notification.context.app.bundleID, appName: text.appName, at: notification.settledAt,
            title: text.title)
        card.notification = notification.sequence
        (card.subtitle, card.body, card.label, card.isHidden) = (text.subtitle, text.body, text.label, text.isHidden)
        switch text.avatar {
        case .image(let digest):
            card.avatar = image(digest).map { .image($0) } ?? .monogram(String(text.title.prefix(1)))
        case .monogram(let letters): card.avatar = .monogram(letters)
        case nil: break
        }
        guard !text.isHidden else { return card }
        card.thumbnail = notification.thumbnail?.sha256.map { image($0).map { .image($0) } ?? .unknown }
        card.buttons = notification.category?.buttons(assumptions) ?? []
        return card
    }

    private mutating func image(_ digest: String) -> PictureImage? {
        guard imageCount > 0, let bytes = media?.data(digest, limit: PictureImage.maximumByteCount) else { return nil }
        imageCount -= 1
        return PictureImage(bytes)
    }
}

extension Screen {
    fileprivate func newest(_ isWanted: (Notification) -> Bool) -> Notification? {
        ([banner].compactMap(\.self) + lockScreen + notificationCenter).first(where: isWanted)
    }
}

extension Notification {
    /// A car and a watch show what alerts.
    fileprivate func isShown(in form: PhonePicture.Form) -> Bool {
        switch form {
        case .carPlay: outcome?.presentation.contains(.carPlay) == true
        case .watch: outcome?.timing == .now
        case .lockScreen, .notificationCenter, .banner, .expanded, .homeIcon: true
        }
    }
}

extension PictureScene {
    fileprivate init(_ device: DeviceConditions, at instant: Instant) {
        self.init(at: instant, timeZone: device.timeZone, locale: device.locale)
        isPoweredOn = device.isPoweredOn
        hasIsland = device.hasDynamicIsland
        focus = device.focus.activeMode?.shownName
    }
}
