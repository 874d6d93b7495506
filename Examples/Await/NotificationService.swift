import UserNotifications

/// The `async` form: what it returns is shown. Downloads a picture and attaches it; when time runs out, it returns without one.
class NotificationService: UNNotificationServiceExtension {
    private var download: Task<Data, any Error>?

    override func didReceive(_ request: UNNotificationRequest) async -> UNNotificationContent {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        guard let text = content.userInfo["picture"] as? String, let url = URL(string: text) else { return content }
        do {
            let download = Task { try await URLSession.shared.data(from: url).0 }
            self.download = download
            print("Downloading")
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent(ProcessInfo.processInfo.globallyUniqueString)
            try await download.value.write(to: file)
            // The file's name says nothing about its type.
            let options: [AnyHashable: Any] = [
                UNNotificationAttachmentOptionsTypeHintKey: "public.png",
                UNNotificationAttachmentOptionsThumbnailClippingRectKey:
                    CGRect(x: 0, y: 0, width: 1, height: 0.5).dictionaryRepresentation,
            ]
            content.attachments = [try UNNotificationAttachment(identifier: "picture", url: file, options: options)]
        } catch {
            print("Not attached:", error.localizedDescription)
        }
        return content
    }

    override func serviceExtensionTimeWillExpire() { download?.cancel() }
}
