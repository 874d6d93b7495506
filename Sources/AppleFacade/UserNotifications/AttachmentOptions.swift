internal import ExtensionWire
internal import Foundation

extension WireValue {
    /// An attachment's options under the protocol's names; null when there are none.
    ///
    /// An option that iOS does not know, or whose value it could not use, is left out.
    init(attachmentOptions options: [AnyHashable: Any]?) {
        func value(_ key: String) -> WireValue? { options?[key].map { WireValue(foundationObject: $0) } }
        var members: [String: WireValue] = [:]
        if let hint = value(UNNotificationAttachmentOptionsTypeHintKey)?.text, !hint.isEmpty {
            members["typeHint"] = .string(hint)
        }
        members["thumbnailHidden"] = value(UNNotificationAttachmentOptionsThumbnailHiddenKey)?.flag
        members["clippingRect"] = value(UNNotificationAttachmentOptionsThumbnailClippingRectKey)?.unitRect
        members["thumbnailTime"] = value(UNNotificationAttachmentOptionsThumbnailTimeKey)?.seconds
        self = members.isEmpty ? .null : .object(members)
    }

    /// A truth value, which may be a number.
    private var flag: WireValue? { (bool ?? integer.map { $0 != 0 }).map { .bool($0) } }

    /// A rectangle that `dictionaryRepresentation` made; nil unless it lies within the unit square.
    private var unitRect: WireValue? {
        var sides: [String: WireValue] = [:]
        for (name, key) in [("x", "X"), ("y", "Y"), ("width", "Width"), ("height", "Height")] {
            guard let side = self[key]?.number, (0...1).contains(side) else { return nil }
            sides[name] = .number(side)
        }
        return .object(sides)
    }

    /// Seconds, or a frame's number; a `CMTime` comes as the dictionary that Core Media makes of it.
    private var seconds: WireValue? {
        var seconds = number
        if let value = self["value"]?.number, let scale = self["timescale"]?.number, scale > 0 {
            seconds = value / scale
        }
        return seconds.flatMap { $0 >= 0 && $0.isFinite ? .number($0) : nil }
    }
}
