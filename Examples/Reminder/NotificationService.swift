import UserNotifications

/// Adds a local notification beside the push: the payload's `reminder`, `after` so many seconds, or at once. If that is
/// rejected, the subtitle says why.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let reminder = UNMutableNotificationContent()
        reminder.title = "Reminder"
        reminder.body = content.userInfo["reminder"] as? String ?? ""
        let seconds = content.userInfo["after"] as? Double
        let trigger = seconds.map { UNTimeIntervalNotificationTrigger(timeInterval: $0, repeats: false) }
        let local = UNNotificationRequest(identifier: "reminder", content: reminder, trigger: trigger)
        let center = UNUserNotificationCenter.current()
        center.add(local) { error in
            center.getPendingNotificationRequests { pending in
                let remark = pending.isEmpty ? "" : ", \(pending.count) pending"
                content.subtitle = error?.localizedDescription ?? "with a reminder\(remark)"
                contentHandler(content)
            }
        }
    }
}
