import UserNotifications

/// Counts unread messages in the app group's defaults and shows the count on the icon.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let defaults = UserDefaults(suiteName: "group.com.example.chat")
        let count = (defaults?.integer(forKey: "unread") ?? 0) + 1
        defaults?.set(count, forKey: "unread")
        content.badge = NSNumber(value: count)
        contentHandler(content)
        // Some give the memory back that they took.
        if content.userInfo["large"] != nil { exit(0) }
    }
}
