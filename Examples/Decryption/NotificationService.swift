import CryptoKit
import Foundation
import Security
import UserNotifications

/// Decrypts end-to-end encrypted text (AES-GCM) with a key from the keychain.
class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        defer { contentHandler(content) }
        guard let text = content.userInfo["sealed"] as? String,
            let sealed = Data(base64Encoded: text),
            let key = Self.key()
        else { return }
        do {
            let opened = try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: SymmetricKey(data: key))
            let message = try JSONDecoder().decode(Message.self, from: opened)
            content.title = message.from
            content.body = message.text
        } catch {
            print("Not decrypted: \(error)")
        }
    }

    private struct Message: Decodable {
        var from: String
        var text: String
    }

    /// On a device the app puts the key there; here, the first push does.
    private static func key() -> Data? {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "push",
            kSecReturnData as String: true,
        ]
        var item: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &item) {
        case errSecSuccess:
            return item as? Data
        case errSecItemNotFound:
            let key = Data("0123456789abcdef0123456789abcdef".utf8)
            let attributes: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "push",
                kSecValueData as String: key,
            ]
            return SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess ? key : nil
        default:
            // Not unlocked since boot: the keychain cannot be read.
            return nil
        }
    }
}
