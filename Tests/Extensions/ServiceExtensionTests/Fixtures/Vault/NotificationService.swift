// In the order that people write them.
// swift-format-ignore-file: OrderedImports

import MobileCoreServices
import Security
@preconcurrency import UserNotifications
import WidgetKit
import os.log

extension UNMutableNotificationContent: @unchecked @retroactive Sendable {}

/// Typical code of iOS extensions in one file.
@objc(NotificationService)
class NotificationService: UNNotificationServiceExtension {
    private let logger = Logger(subsystem: "com.example", category: "push")
    private nonisolated(unsafe) var contentHandler: ((UNNotificationContent) -> Void)?

    nonisolated override init() { super.init() }

    nonisolated override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let content = autoreleasepool { request.content.mutableCopy() as! UNMutableNotificationContent }
        logger.info("Got \(request.identifier, privacy: .public), \("secret", privacy: .private)")
        os_log("%{public}@ %d", log: OSLog(subsystem: "com.example", category: "old"), type: .error, "line", 2)
        os_log(
            "%{private}@ %{public}@ %{sensitive, mask.hash}@ %{private}*d %5.1f %{public, location:x}d%% %@", "secret",
            "shown",
            "secret", 3, 4, 1.25, 5, "last")
        os_log("nothing %{public}@", log: .default)
        WidgetCenter.shared.reloadAllTimelines()

        let defaults = UserDefaults(suiteName: "group.com.example")
        defaults?.set((defaults?.integer(forKey: "count") ?? 0) + 1, forKey: "count")
        defaults?.synchronize()
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example")
        content.title = Bundle.main.bundleIdentifier ?? "-"
        content.subtitle = group?.lastPathComponent ?? "locked"
        content.body = greeting() + " " + secret()
        content.threadIdentifier = kUTTypePNG as String
        content.badge = NSNumber(value: defaults?.integer(forKey: "count") ?? 0)
        Task { contentHandler(content) }
    }

    private nonisolated func secret() -> String {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "vault",
            kSecAttrAccount as String: "me",
        ]
        var attributes = query
        attributes[kSecValueData as String] = Data("first".utf8)
        let added = SecItemAdd(attributes as CFDictionary, nil)
        let again = SecItemAdd(attributes as CFDictionary, nil)
        let updated = SecItemUpdate(
            query as CFDictionary, [kSecValueData as String: Data("second".utf8)] as CFDictionary)
        var search = query
        search[kSecReturnData as String] = kCFBooleanTrue
        search[kSecMatchLimit as String] = kSecMatchLimitOne
        var item: AnyObject?
        let found = SecItemCopyMatching(search as CFDictionary, &item)
        let text = (item as? Data).map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        let deleted = SecItemDelete(query as CFDictionary)
        return "\(added) \(again) \(updated) \(found) \(text) \(deleted)"
    }
}
