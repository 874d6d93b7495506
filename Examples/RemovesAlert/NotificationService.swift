import UserNotifications

/// Leaves nothing that could be shown: its changes are ignored, and the original is shown.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = ""
        content.subtitle = ""
        content.body = ""
        content.badge = 7
        contentHandler(content)
    }
}
