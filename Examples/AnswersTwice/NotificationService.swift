import UserNotifications

/// Forgets a `return`: the first call of the handler counts.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        if content.userInfo["sender"] != nil {
            content.title = "First"
            contentHandler(content)
        }
        content.title = "Second"
        contentHandler(content)
    }
}
