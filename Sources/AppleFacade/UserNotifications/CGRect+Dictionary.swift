public import Foundation

// On iOS, Core Graphics has these, and `import UserNotifications` brings it along.
extension CGRect {
    /// The rectangle as `UNNotificationAttachmentOptionsThumbnailClippingRectKey` takes it.
    public var dictionaryRepresentation: NSDictionary {
        [
            "X": Double(minX), "Y": Double(minY), "Width": Double(width), "Height": Double(height),
        ] as NSDictionary
    }

    /// The rectangle that `dictionaryRepresentation` was asked of; nil when a side is missing.
    public init?(dictionaryRepresentation dictionary: NSDictionary) {
        func side(_ key: String) -> Double? { (dictionary[key] as? NSNumber)?.doubleValue }
        guard let x = side("X"), let y = side("Y"), let width = side("Width"), let height = side("Height") else {
            return nil
        }
        self.init(x: x, y: y, width: width, height: height)
    }
}
