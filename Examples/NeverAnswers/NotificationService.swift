import UserNotifications

/// Never calls the handler, not even when time runs out: the original is shown.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        print("Forgot about \(request.identifier)")
    }
}
