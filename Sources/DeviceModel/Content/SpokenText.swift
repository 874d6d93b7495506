internal import JSON

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
