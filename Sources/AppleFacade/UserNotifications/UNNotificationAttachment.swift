// Apple's names begin with capitals.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

package import ExtensionWire
public import Foundation

/// The uniform type identifier of the file, where its name does not tell.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"
public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"
/// The part of the picture that is the thumbnail, as a dictionary of a rectangle within the unit square.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"
/// The time within a film, or the frame of an animation, that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

/// A picture, sound or film that goes with a notification.
open class UNNotificationAttachment: NSObject, NSCopying {
    public let identifier: String
    public let url: URL
    /// The uniform type identifier, such as `public.jpeg`.
    public let type: String
    /// Under the protocol's names; null when there are none.
    private let options: WireValue

    private init(identifier: String, url: URL, type: String, options: WireValue) {
        self.identifier = identifier
        self.url = url
        self.type = type
        self.options = options
    }

    /// Checks the file: it is there, its type is known from its name or the hint, and it is not too large.
    ///
    /// - Parameter identifier: Empty makes one up.
    /// - Throws: `UNError` 100 to 102.
    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        let type = try AttachmentType.checked(
            url, hint: options?[UNNotificationAttachmentOptionsTypeHintKey].map { "\($0)" })
        self.init(
            identifier: identifier.isEmpty ? UUID().uuidString : identifier, url: url, type: type.identifier,
            options: WireValue(attachmentOptions: options))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension UNNotificationAttachment {
    /// Reads one of the protocol; nothing is checked.
    package convenience init?(_ json: WireValue) {
        guard let text = json["url"]?.text, let url = URL(string: text) else { return nil }
        self.init(
            identifier: json["identifier"]?.text ?? "", url: url, type: json["type"]?.text ?? "",
            options: json["options"] ?? .null)
    }

    package var json: WireValue {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "url": .string(url.absoluteString), "type": .string(type),
        ]
        if options != .null { members["options"] = options }
        return .object(members)
    }
}
