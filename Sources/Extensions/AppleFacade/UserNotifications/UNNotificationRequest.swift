// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import ExtensionWire
public import Foundation

open class UNNotificationRequest: CopiedByReference {
    public let identifier: String
    public let content: UNNotificationContent
    /// `nil` shows the notification immediately.
    public let trigger: UNNotificationTrigger?

    /// Copies `content`; later changes have no effect.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = UNNotificationContent(content)
        self.trigger = trigger
    }

    package convenience init(json: WireValue) {
        self.init(
            identifier: json["identifier"]?.text ?? "",
            content: UNNotificationContent(json: json["content"] ?? .null),
            trigger: .reading(json["trigger"] ?? .null, scheduledDate: json["nextTriggerDate"]?.date))
    }

    package var json: WireValue {
        .object(["identifier": .string(identifier), "content": content.json, "trigger": trigger?.json ?? .null])
    }
}

open class UNNotification: CopiedByReference {
    public let date: Date
    public let request: UNNotificationRequest

    package init(json: WireValue) {
        date = json["date"]?.date ?? Date(timeIntervalSince1970: 0)
        request = UNNotificationRequest(json: json["request"] ?? .null)
    }
}

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// The person's response to a notification, delivered to the app only.
open class UNNotificationResponse: NSObject {
    public let notification: UNNotification
    public let actionIdentifier: String

    package init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

open class UNTextInputNotificationResponse: UNNotificationResponse {
    public let userText: String

    package init(notification: UNNotification, actionIdentifier: String, userText: String) {
        self.userText = userText
        super.init(notification: notification, actionIdentifier: actionIdentifier)
    }
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    /// Since iOS 14, `list` and `banner`.
    public static let alert = Self(rawValue: 4)
    public static let list = Self(rawValue: 8)
    public static let banner = Self(rawValue: 16)
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let badge = Self(rawValue: 1)
    public static let sound = Self(rawValue: 2)
    public static let alert = Self(rawValue: 4)
    public static let carPlay = Self(rawValue: 8)
    public static let criticalAlert = Self(rawValue: 16)
    public static let providesAppNotificationSettings = Self(rawValue: 32)
    public static let provisional = Self(rawValue: 64)
    /// No effect since iOS 15.
    public static let announcement = Self(rawValue: 128)
    /// No effect since iOS 15, which uses the entitlement.
    public static let timeSensitive = Self(rawValue: 256)
}
