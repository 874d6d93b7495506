internal import DeviceModel
internal import Foundation

/// A picture of a person or of an attachment, recognised by its first bytes.
package struct PictureImage: Sendable, Hashable {
    package static let maximumByteCount = 256 << 10

    private let mediaType: String
    private let bytes: [UInt8]

    /// - Returns: nil unless it is a PNG, JPEG or GIF that is not too large.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount, let type = AttachmentType(ofFileBeginningWith: bytes.span.bytes),
            type.family == .image
        else { return nil }
        mediaType = type.mediaType
        self.bytes = bytes
    }

    /// - Parameter clip: The identifier of a `clipPath`.
    func node(_ x: Double, _ y: Double, _ width: Double, _ height: Double, clip: String) -> Node {
        // Without the prefix, Inkscape 1.2 shows no image.
        let attributes: KeyValuePairs<StaticString, (any NodeValue)?> = [
            "xlink:href": "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())", "x": x, "y": y,
            "width": width, "height": height, "preserveAspectRatio": "xMidYMid slice", "clip-path": "url(#\(clip))",
        ]
        return Node("image", attributes)
    }
}

extension Node {
    /// An app's icon: its first letter on a colour derived from the bundle identifier.
    @NodeBuilder static func appIcon(
        _ bundleID: String, name: String, _ x: Double, _ y: Double, size: Double
    ) -> [Node] {
        rectangle(x, y, size, size, radius: size * 0.235, Paint.tone(of: bundleID))
        text(
            name.initial, x, y + size * 0.7, width: size, size: size * 0.56, Paint.white, isBold: true, anchor: .middle)
    }

    /// The sender's picture or initials with the app's icon at the lower corner; without a sender, the app's icon.
    ///
    /// - Parameters:
    ///   - ring: The colour behind it.
    ///   - id: Of the clip path.
    @NodeBuilder static func face(
        of card: PictureScene.Card, _ x: Double, _ y: Double, size: Double, ring: Paint, id: String
    ) -> [Node] {
        switch card.avatar {
        case .image(let image):
            Node("clipPath", ["id": id]) { circle(x + size / 2, y + size / 2, radius: size / 2, nil) }
            image.node(x, y, size, size, clip: id)
        case .monogram(let letters):
            circle(x + size / 2, y + size / 2, radius: size / 2, Paint(0x7d8595))
            text(
                letters, x - size * 0.04, y + size * 0.6, width: size, size: size * 0.36, Paint.white, isBold: true,
                anchor: .middle)
        case nil: appIcon(card.app, name: card.appName, x, y, size: size)
        }
        if card.avatar != nil {
            let small = size * 0.42
            let corner = size - small + 4
            rectangle(x + corner, y + corner, small + 3, small + 3, radius: small * 0.3, ring)
            appIcon(card.app, name: card.appName, x + corner + 1.5, y + corner + 1.5, size: small)
        }
    }
}

extension String {
    /// The first letter, in upper case.
    fileprivate var initial: String { first.map { $0.uppercased().cut(toScalars: 8) } ?? "?" }
}
