import UserNotifications

/// Calls the handler only after the time limit: the call is ignored.
class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var content: UNMutableNotificationContent?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        content = request.content.mutableCopy() as? UNMutableNotificationContent
        print("Thinking")
    }

    override func serviceExtensionTimeWillExpire() {
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { [self] in
            content?.title = "Too late"
            if let content { contentHandler?(content) }
        }
    }
}
