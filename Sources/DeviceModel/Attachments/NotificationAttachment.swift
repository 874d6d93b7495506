/// A picture, sound or film that goes with a notification (`UNNotificationAttachment`).
public struct NotificationAttachment: Sendable, Hashable {
    /// Its name among the notification's attachments.
    public var identifier: String
    /// Where the file is, such as `file:///…/cat.jpg`.
    public var url: String
    /// The uniform type identifier, such as `public.jpeg`; empty when nobody said.
    public var type: String
    /// What `UNNotificationAttachment` was made with; nil when with nothing.
    public var options: Options?
    /// The file's SHA-256 in hexadecimal digits, once it is in the attachment data store.
    public var sha256: String?
    /// How large the file is, once it is in the attachment data store.
    public var byteCount: Int?

    /// Makes an attachment.
    public init(identifier: String = "", url: String, type: String = "", options: Options? = nil) {
        self.identifier = identifier
        self.url = url
        self.type = type
        self.options = options
    }

    /// `UNNotificationAttachmentOptions…Key`.
    public struct Options: Sendable, Hashable {
        /// A uniform type identifier that counts instead of the file's extension.
        public var typeHint: String?
        /// Whether the notification shows no thumbnail of it.
        public var thumbnailHidden = false
        /// The part of the picture that the thumbnail shows, each side from 0 to 1.
        public var clippingRect: UnitRect?
        /// Seconds from a film's start, or a moving picture's frame.
        public var thumbnailTime: Double?

        public init() {}
    }

    /// A part of a picture whose sides are 1 long.
    public struct UnitRect: Sendable, Hashable {
        public var x = 0.0
        public var y = 0.0
        public var width = 1.0
        public var height = 1.0

        public init() {}
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
