import UserNotifications

/// Answers from the main queue, after an await in a task.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        Task {
            let count = await UNUserNotificationCenter.current().deliveredNotifications().count
            DispatchQueue.main.async {
                let content = request.content.mutableCopy() as! UNMutableNotificationContent
                content.badge = NSNumber(value: count + 1)
                contentHandler(content)
            }
        }
    }
}
