import UserNotifications

/// Takes more memory than an extension has (24 MB).
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        var ballast: [[UInt8]] = []
        for _ in 0..<64 { ballast.append([UInt8](repeating: 1, count: 1 << 20)) }
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        content.subtitle = "\(ballast.count) MB"
        contentHandler(content)
    }
}
