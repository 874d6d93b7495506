import UserNotifications

/// Ends the process instead of answering: the original is shown, or nothing with the filtering entitlement.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        exit(0)
    }
}
