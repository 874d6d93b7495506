import UniformTypeIdentifiers
import UserNotifications

/// Downloads a picture and attaches it.
class NotificationService: UNNotificationServiceExtension {
    private var contentHandler: ((UNNotificationContent) -> Void)?
    private var bestAttemptContent: UNMutableNotificationContent?
    private var download: URLSessionDownloadTask?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        self.contentHandler = contentHandler
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        bestAttemptContent = content
        guard let text = content.userInfo["picture"] as? String, let url = URL(string: text) else {
            return contentHandler(content)
        }

        download = URLSession.shared.downloadTask(with: url) { file, response, error in
            defer { contentHandler(content) }
            guard let file else {
                return print("No picture:", error?.localizedDescription ?? "")
            }
            let type = response?.mimeType.flatMap { UTType(mimeType: $0) } ?? .png
            let named = FileManager.default.temporaryDirectory
                .appendingPathComponent(ProcessInfo.processInfo.globallyUniqueString)
                .appendingPathExtension(type.preferredFilenameExtension ?? "png")
            do {
                try FileManager.default.moveItem(at: file, to: named)
                content.attachments = [try UNNotificationAttachment(identifier: "picture", url: named)]
            } catch {
                print("Not attached:", error.localizedDescription)
            }
        }
        download?.resume()
    }

    override func serviceExtensionTimeWillExpire() {
        download?.cancel()
        if let contentHandler, let bestAttemptContent { contentHandler(bestAttemptContent) }
    }
}
