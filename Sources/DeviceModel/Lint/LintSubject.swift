public import APNs

/// A push, and what is known around it, for `Lint` to judge.
public struct LintSubject: Sendable {
    /// The payload as received.
    public var payload: [UInt8]
    /// The payload's content, or what the service extension made of it.
    public var content: NotificationContent
    /// What the decoder found.
    public var decodingFindings: [Finding]
    /// The receiving app; nil when nobody described it.
    public var app: App?
    /// The device's language and region, in which texts are judged.
    public var locale = "en_US"
    /// `apns-push-type`; nil when the push has none.
    public var pushType: PushType?
    /// Whether content was updated from an intent: its texts are people's, and rules of style do not apply.
    public var isCommunication = false
    /// The request's identifier: `apns-collapse-id`, or a generated one.
    public var identifier = ""
    /// When the push came, on the device's clock.
    public var now: Instant?
    /// How many milliseconds a text counts as a repetition although its notification is gone
    /// (`Assumptions.duplicateWindow`).
    public var duplicateWindow = Assumptions().duplicateWindow
    /// The app's earlier pushes on the device; nil when nobody looked.
    public var history: LintHistory?

    /// Decodes a payload; anything at all may be passed.
    public init(payload: RawSpan, app: App? = nil) {
        let decoded = DecodedPayload(payload)
        self.payload = payload.withUnsafeBytes { Array($0) }
        self.app = app
        content = decoded.content
        decodingFindings = decoded.findings
    }
}

/// What came before a push, of the same app on the same device.
public struct LintHistory: Sendable {
    /// Earlier notifications, of which `content.duplicate` looks for equal ones.
    public var earlier: [Earlier] = []
    /// The levels that earlier pushes asked for, oldest first; the last 19 count.
    public var levels: [InterruptionLevel] = []
    /// The badge before this push; nil when none was set yet.
    public var badge: Int?
    /// How many pushes in a row, just before this one, set a badge and had no alert.
    public var badgesWithoutAlert = 0
    /// How many unread notifications the device counts with this one; nil leaves the badge uncompared.
    public var unreadCount: Int?

    public init() {}

    /// An earlier notification.
    public struct Earlier: Sendable {
        public var identifier: String
        public var title: String
        public var subtitle: String
        public var body: String
        public var at: Instant
        /// Whether it is still in Notification Center.
        public var isListed: Bool

        /// Remembers a notification.
        public init(
            identifier: String, title: String = "", subtitle: String = "", body: String = "", at: Instant,
            isListed: Bool = false
        ) {
            self.identifier = identifier
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.at = at
            self.isListed = isListed
        }
    }
}
