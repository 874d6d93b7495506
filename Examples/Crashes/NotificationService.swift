import UserNotifications

/// Trusts the payload and crashes: the original is shown.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let sender = request.content.userInfo["sender"] as! [String: String]
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.title = sender["name"]!
        contentHandler(content)
    }
}
