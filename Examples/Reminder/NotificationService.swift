import UserNotifications

/// Adds a local notification beside the push: the payload's `reminder`. If that is refused, the subtitle says why.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let reminder = UNMutableNotificationContent()
        reminder.title = "Reminder"
        reminder.body = content.userInfo["reminder"] as? String ?? ""
        let local = UNNotificationRequest(identifier: "reminder", content: reminder, trigger: nil)
        UNUserNotificationCenter.current().add(local) { error in
            content.subtitle = error?.localizedDescription ?? "with a reminder"
            contentHandler(content)
        }
    }
}
