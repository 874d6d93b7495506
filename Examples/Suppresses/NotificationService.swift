import UserNotifications

/// Answers with an empty content for messages that the person muted: with the filtering entitlement, nothing is shown.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let isMuted = request.content.userInfo["muted"] as? Bool ?? false
        contentHandler(isMuted ? UNNotificationContent() : request.content)
    }
}
