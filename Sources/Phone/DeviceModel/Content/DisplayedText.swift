internal import JSON

/// A notification's texts as displayed (B.7).
package struct DisplayedText: Sendable, Hashable {
    package var appName: String
    /// The app's name if the content has no title.
    package var title: String
    package var subtitle: String
    package var watchSubtitle: String?
    package var body: String
    /// Whether the preview is hidden, and with it attachments and the sender's picture.
    package var isHidden: Bool
    /// The system's label beside the title, such as "Time Sensitive".
    package var label: String?
    package var isCommunication: Bool
    /// nil for the app's icon.
    package var avatar: CommunicationDisplay.Avatar?

    /// - Parameters:
    ///   - level: After entitlements and settings.
    ///   - count: The group's size, for `%u` in the category's placeholder.
    package init(
        _ content: NotificationContent, app: App, device: DeviceConditions, settings: NotificationSettings,
        level: InterruptionLevel = .active, communication: CommunicationDisplay? = nil, count: Int = 1
    ) {
        let content = content.localized(app: app, locale: device.locale)
        let language = SystemLanguage(locale: device.locale)
        appName = app.displayName
        title = communication?.title.ifAny ?? content.title
        subtitle = communication?.subtitle.ifAny ?? content.subtitle
        watchSubtitle = communication?.watchSubtitle
        isCommunication = communication != nil
        avatar = communication?.avatar
        body = content.body
        isHidden = settings.hidesPreviews(on: device)
        label = level == .timeSensitive ? language.text(english: "Time Sensitive", japanese: "即時通知") : nil
        if isHidden { hide(app.category(content.categoryIdentifier), language, count) }
        if title.isEmpty { title = appName }
    }

    private mutating func hide(_ category: NotificationCategory?, _ language: SystemLanguage, _ count: Int) {
        let options = category?.options ?? []
        if !options.contains(.hiddenPreviewsShowTitle) { (title, avatar) = ("", nil) }
        if !options.contains(.hiddenPreviewsShowSubtitle) { (subtitle, watchSubtitle) = ("", nil) }
        let placeholder = category?.hiddenPreviewsBodyPlaceholder ?? ""
        let standard = language.text(english: "Notification", japanese: "通知")
        body = placeholder.isEmpty ? standard : placeholder.replacing("%u", with: "\(count)")
    }
}

extension NotificationContent {
    /// The text that Siri reads out (B.8): sender, group and body; without a preview, only the app.
    ///
    /// Assumption: for an ordinary notification, Siri reads the title or the app's name instead of a sender.
    package func spokenText(
        app: App, device: DeviceConditions, settings: NotificationSettings, isCommunication: Bool
    ) -> String {
        let language = SystemLanguage(locale: device.locale)
        guard !settings.hidesPreviews(on: device) else {
            return language.text(english: "Notification from \(app.displayName)", japanese: "\(app.displayName)からの通知")
        }
        let content = localized(app: app, locale: device.locale)
        let title = content.title.isEmpty ? app.displayName : content.title
        var head = content.subtitle.isEmpty ? title : "\(title), \(content.subtitle)"
        if isCommunication, let context = content.communication {
            let sender = context.sender.shownName
            head = sender.isEmpty ? title : sender
            if context.isGroup {
                let group = context.groupName?.ifAny ?? language.audience(of: context)
                head += language.text(english: " to \(group)", japanese: "から\(group)へ")
            }
        }
        return content.body.isEmpty ? head : "\(head): \(content.body)"
    }
}
