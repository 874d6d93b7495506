import UserNotifications

/// Attaches a file of a kind that cannot be attached: `UNError` 101, and the text is shown without it.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("notes.txt")
        do {
            try Data("Notes".utf8).write(to: file)
            content.attachments = [try UNNotificationAttachment(identifier: "notes", url: file)]
        } catch {
            content.subtitle = error.localizedDescription
        }
        contentHandler(content)
    }
}
