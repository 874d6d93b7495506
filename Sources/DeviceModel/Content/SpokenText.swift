extension NotificationContent {
    /// The text that Siri reads out (B.8): sender, group and body; without a preview, only the app.
    ///
    /// Assumption: for an ordinary notification, Siri reads the title or the app's name instead of a sender.
    package func spokenText(
        app: App, device: DeviceConditions, settings: NotificationSettings, isCommunication: Bool
    ) -> String {
        let language = SystemLanguage(locale: device.locale)
        guard !arePreviewsHidden(settings, on: device) else { return language.notification(from: app.displayName) }
        let content = localized(app: app, locale: device.locale)
        let title = content.title.isEmpty ? app.displayName : content.title
        var head = content.subtitle.isEmpty ? title : "\(title), \(content.subtitle)"
        if isCommunication, let context = content.communication {
            let sender = context.sender.shownName
            head = sender.isEmpty ? title : sender
            if context.isGroup { head += language.spokenGroup(context) }
        }
        return content.body.isEmpty ? head : "\(head): \(content.body)"
    }
}

extension SystemLanguage {
    fileprivate func notification(from app: String) -> String {
        switch self {
        case .english: "Notification from \(app)"
        case .japanese: "\(app)からの通知"
        }
    }

    /// " to Team", " to you and Bob".
    fileprivate func spokenGroup(_ context: CommunicationContext) -> String {
        let name = context.groupName.flatMap { $0.isEmpty ? nil : $0 } ?? audience(of: context)
        return switch self {
        case .english: " to \(name)"
        case .japanese: "から\(name)へ"
        }
    }
}
