/// What Siri says when it reads a notification out: to headphones, on a HomePod, in the car (B.8).
package struct SpokenText: Sendable, Hashable {
    package var text: String

    /// Puts the sentence together: who it is from, to whom if it is a group, and the body; without a preview, the app only.
    ///
    /// Assumption: an ordinary notification is read with its title, or the app's name, in the sender's place.
    ///
    /// - Parameters:
    ///   - content: in any language; its texts are localized here.
    ///   - isCommunication: whether the notification counts as what somebody wrote, or as a call.
    package init(
        _ content: NotificationContent, app: App, device: DeviceConditions, settings: NotificationSettings,
        isCommunication: Bool
    ) {
        let language = SystemLanguage(locale: device.locale)
        guard !arePreviewsHidden(settings, on: device) else {
            text = language.notification(from: app.displayName)
            return
        }
        let content = content.localized(app: app, locale: device.locale)
        let title = content.title.isEmpty ? app.displayName : content.title
        var head = content.subtitle.isEmpty ? title : "\(title), \(content.subtitle)"
        if isCommunication, let context = content.communication {
            let sender = context.sender.shownName
            head = sender.isEmpty ? title : sender
            if context.isGroup { head += language.spokenGroup(context) }
        }
        text = content.body.isEmpty ? head : "\(head): \(content.body)"
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
