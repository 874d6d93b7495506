import UserNotifications

/// Translates with a server that never answers; as time runs out, the best attempt is shown.
class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttemptContent: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        bestAttemptContent = content
        content.subtitle = "Not translated"

        translate(content.body) { translation in
            content.body = translation
            content.subtitle = ""
            contentHandler(content)
        }
    }

    override func serviceExtensionTimeWillExpire() {
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }

    private func translate(_ text: String, completion: @escaping (String) -> Void) {
        print("Translating")
        // `completion` is never called.
    }
}
