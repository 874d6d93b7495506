internal import Fields

/// A picture, sound or film that goes with a notification (`UNNotificationAttachment`).
package struct NotificationAttachment: Sendable, Hashable {
    /// Its name among the notification's attachments.
    package var identifier: String
    /// Where the file is, such as `file:///…/cat.jpg`.
    package var url: String
    /// The uniform type identifier, such as `public.jpeg`; empty when nobody said.
    package var type: String
    /// What `UNNotificationAttachment` was made with; nil when with nothing.
    package var options: Options?
    /// The file's SHA-256 in hexadecimal digits, once it is in the attachment data store.
    package var sha256: String?
    /// How large the file is, once it is in the attachment data store.
    package var byteCount: Int?

    package init(identifier: String = "", url: String, type: String = "", options: Options? = nil) {
        self.identifier = identifier
        self.url = url
        self.type = type
        self.options = options
    }

    /// `UNNotificationAttachmentOptions…Key`.
    package struct Options: Sendable, Hashable {
        /// A uniform type identifier that counts instead of the file's extension.
        package var typeHint: String?
        /// Whether the notification shows no thumbnail of it.
        package var thumbnailHidden = false
        /// The part of the picture that the thumbnail shows, each side from 0 to 1.
        package var clippingRect: UnitRect?
        /// Seconds from a film's start, or a moving picture's frame.
        package var thumbnailTime: Double?

        package init() {}
    }

    /// A part of a picture whose sides are 1 long.
    package struct UnitRect: Sendable, Hashable {
        package var x = 0.0
        package var y = 0.0
        package var width = 1.0
        package var height = 1.0

        package init() {}
    }
}

extension NotificationAttachment {
    /// An attachment of an extension's answer.
    init(_ json: MemberReader, _ problems: inout [FieldProblem]) {
        let name = json.value("identifier", .text, &problems) ?? ""
        self.init(identifier: name, url: "", type: json.value("type", .text, &problems) ?? "")
        if let address = json.text("url", &problems) {
            url = address
        } else if json["url"] == nil {
            problems.append(FieldProblem(json.path.member("url"), "is missing", "accepted: file:///…"))
        }
        options = json.value("options", FieldFormat<Options>.object, &problems)
    }
}
