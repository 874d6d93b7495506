package import Fields

/// An image, sound or movie attached to a notification (`UNNotificationAttachment`).
package struct NotificationAttachment: Sendable, Hashable {
    package var identifier = ""
    package var url: String
    package var type = ""
    package var options: Options?
    package var sha256: String?
    package var byteCount: Int?

    /// `UNNotificationAttachmentOptions…Key`.
    package struct Options: FieldDescribed, Hashable {
        package var typeHint: String?
        package var thumbnailHidden = false
        package var clippingRect: UnitRect?
        package var thumbnailTime: Double?

        package init() {}

        package static let fields: [Field<Options>] = [
            Field("typeHint", \.typeHint, .optional(.name), "A uniform type identifier; overrides the extension."),
            Field("thumbnailHidden", \.thumbnailHidden, .flag, "Whether it has no thumbnail."),
            Field(
                "clippingRect", \.clippingRect, .optional(.object), "The part of the picture that the thumbnail shows."),
            Field("thumbnailTime", \.thumbnailTime, .optional(.seconds), "Seconds into a film, or a frame's index."),
        ]
    }

    /// In units of the picture's width and height.
    package struct UnitRect: FieldDescribed, Hashable {
        package var x = 0.0
        package var y = 0.0
        package var width = 1.0
        package var height = 1.0

        package init() {}

        package static let fields: [Field<UnitRect>] = [
            Field("x", \.x, .share, "The left edge."), Field("y", \.y, .share, "The upper edge."),
            Field("width", \.width, .share, "The width."), Field("height", \.height, .share, "The height."),
        ]
    }
}

extension NotificationAttachment {
    init(_ json: MemberReader) {
        self.init(
            identifier: json.value("identifier", .text) ?? "", url: json.text("url") ?? "",
            type: json.value("type", .text) ?? "", options: json.value("options", FieldFormat<Options>.object))
        if json["url"] == nil { json.report([.missing("url", at: json.path, accepted: "file:///…")]) }
    }
}

extension NotificationAttachment: FieldDescribed {
    package static let fields: [Field<NotificationAttachment>] = [
        Field("identifier", \.identifier, .text, "Its name among the notification's attachments."),
        Field("url", \.url, .text, "The URL of the file."),
        Field("type", \.type, .text, "The uniform type identifier; may be empty."),
        Field("options", \.options, .optional(.object), "How to show it; absent for the defaults."),
        Field("sha256", \.sha256, .optional(.digest), "The file's SHA-256, once it is in the data store."),
        Field("byteCount", \.byteCount, .optional(.integer(atLeast: 0)), "The size of the file."),
    ]

    package init() { self.init(url: "") }
}
