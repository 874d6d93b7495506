/// A notification's texts as the person sees them.
package struct DisplayedText: Sendable, Hashable {
    /// The app's name, which stands beside its icon.
    package var appName: String
    /// The first line; the app's name where the content has no title.
    package var title: String
    /// The second line; empty when there is none.
    package var subtitle: String
    /// What a watch shows as the second line of a group message: the recipients by their first names; nil for any other.
    package var watchSubtitle: String?
    package var body: String
    /// Whether the preview is hidden; attachments and a sender's picture are hidden with it.
    package var isHidden: Bool
    /// What the system puts beside the title, such as "Time Sensitive".
    package var label: String?
    /// Whether it is shown as a communication notification.
    package var isCommunication: Bool
    /// The picture beside the text in the app icon's place; nil for the icon.
    package var avatar: CommunicationDisplay.Avatar?

    /// What a communication notification has in the place of its own lines and of the app's icon (E.2).
    package struct Heading: Sendable, Hashable {
        /// The sender; empty leaves the content's own title.
        package var title: String
        /// The recipients of a group message; empty leaves the content's own.
        package var subtitle: String
        package var avatar: CommunicationDisplay.Avatar?
        /// The second line of a group message on a watch (S0-30).
        package var watchSubtitle: String?

        package init(
            title: String, subtitle: String = "", avatar: CommunicationDisplay.Avatar? = nil,
            watchSubtitle: String? = nil
        ) {
            self.title = title
            self.subtitle = subtitle
            self.watchSubtitle = watchSubtitle
            self.avatar = avatar
        }

        /// The heading of content that was updated from an intent; nil for any other.
        package init?(of content: NotificationContent, app: App, locale: String, assumptions: Assumptions) {
            guard let context = content.communication else { return nil }
            func display(usesFirstNames: Bool) -> CommunicationDisplay {
                CommunicationDisplay(
                    of: context, contentSubtitle: "", appName: app.displayName,
                    language: SystemLanguage(locale: locale), assumptions: assumptions, usesFirstNames: usesFirstNames)
            }
            let onPhone = display(usesFirstNames: false)
            self.init(
                title: onPhone.title, subtitle: onPhone.subtitle, avatar: onPhone.avatar,
                watchSubtitle: context.isGroup ? display(usesFirstNames: true).subtitle : nil)
        }
    }

    /// Renders content (B.7).
    ///
    /// - Parameters:
    ///   - level: the level in effect, after entitlements and settings.
    ///   - communication: the heading of a communication notification; nil for any other.
    ///   - count: how many notifications the group has, for `%u` in the category's placeholder.
    package init(
        _ content: NotificationContent, app: App, device: DeviceConditions, settings: NotificationSettings,
        level: InterruptionLevel = .active, communication: Heading? = nil, count: Int = 1
    ) {
        let content = content.localized(app: app, locale: device.locale)
        let words = SystemWords(locale: device.locale)
        appName = app.displayName
        title = communication.flatMap { $0.title.isEmpty ? nil : $0.title } ?? content.title
        subtitle = communication.flatMap { $0.subtitle.isEmpty ? nil : $0.subtitle } ?? content.subtitle
        watchSubtitle = communication?.watchSubtitle
        isCommunication = communication != nil
        avatar = communication?.avatar
        body = content.body
        isHidden = arePreviewsHidden(settings, on: device)
        label = level == .timeSensitive ? words.timeSensitive : nil
        if isHidden { hide(app.category(content.categoryIdentifier), words, count) }
        if title.isEmpty { title = appName }
    }

    private mutating func hide(_ category: NotificationCategory?, _ words: SystemWords, _ count: Int) {
        let options = category?.options ?? []
        if !options.contains(.hiddenPreviewsShowTitle) { (title, avatar) = ("", nil) }
        if !options.contains(.hiddenPreviewsShowSubtitle) { (subtitle, watchSubtitle) = ("", nil) }
        let placeholder = category?.hiddenPreviewsBodyPlaceholder ?? ""
        body = placeholder.isEmpty ? words.notification : placeholder.replacing("%u", with: "\(count)")
    }
}
