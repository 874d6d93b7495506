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
    package struct Options: Sendable, Hashable {
        package var typeHint: String?
        package var thumbnailHidden = false
        package var clippingRect: UnitRect?
        package var thumbnailTime: Double?

        package init() {}
    }

    /// In units of the picture's width and height.
    package struct UnitRect: Sendable, Hashable {
        package var x = 0.0
        package var y = 0.0
        package var width = 1.0
        package var height = 1.0

        package init() {}
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
        Field("url", \.url, .text, "Where the file is."),
        Field("type", \.type, .text, "The uniform type identifier; empty when nobody said."),
        Field("options", \.options, .optional(.object), "How it is to be shown; absent when nobody said."),
        Field(
            "sha256", \.sha256, .optional(.digest),
            "The file's SHA-256; absent while it is not in the attachment data store."),
        Field("byteCount", \.byteCount, .optional(.integer(atLeast: 0)), "How large the file is."),
    ]

    package init() { self.init(url: "") }
}

extension NotificationAttachment.Options: FieldDescribed {
    package static let fields: [Field<NotificationAttachment.Options>] = [
        Field(
            "typeHint", \.typeHint, .optional(.name),
            "A uniform type identifier that counts instead of the file's extension."),
        Field("thumbnailHidden", \.thumbnailHidden, .flag, "Whether there is no thumbnail of it."),
        Field("clippingRect", \.clippingRect, .optional(.object), "The part of the picture that the thumbnail shows."),
        Field(
            "thumbnailTime", \.thumbnailTime, .optional(.seconds), "Seconds from a film's start, or a picture's frame."),
    ]
}

extension NotificationAttachment.UnitRect: FieldDescribed {
    package static let fields: [Field<NotificationAttachment.UnitRect>] = [
        Field("x", \.x, .share, "The left edge."), Field("y", \.y, .share, "The upper edge."),
        Field("width", \.width, .share, "How wide it is."), Field("height", \.height, .share, "How high it is."),
    ]
}
