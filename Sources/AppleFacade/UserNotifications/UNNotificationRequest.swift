package import ExtensionWire
public import Foundation

/// A content, what it is called, and when it is shown.
open class UNNotificationRequest: NSObject, NSCopying {
    public let identifier: String
    public let content: UNNotificationContent
    /// `nil` shows it at once.
    public let trigger: UNNotificationTrigger?

    /// Later changes of `content` do not reach the request.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        self.content = UNNotificationContent(content.values)
        self.trigger = trigger
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension UNNotificationRequest {
    /// Reads the protocol's `request`.
    package convenience init(json: WireValue) {
        self.init(
            identifier: json["identifier"]?.text ?? "",
            content: UNNotificationContent(json: json["content"] ?? .object([:])),
            trigger: UNNotificationTrigger.make(json["trigger"] ?? .null))
    }

    package var json: WireValue {
        .object([
            "identifier": .string(identifier), "content": content.json, "trigger": trigger?.json ?? .null,
        ])
    }
}

open class UNNotification: NSObject, NSCopying {
    public let date: Date
    public let request: UNNotificationRequest

    package init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension UNNotification {
    package convenience init(json: WireValue) {
        self.init(
            date: json["date"]?.date ?? Date(timeIntervalSince1970: 0),
            request: UNNotificationRequest(json: json["request"] ?? json))
    }
}
