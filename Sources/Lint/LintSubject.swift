package import APNs
package import DeviceModel

/// A push, and what is known around it, for `Lint` to judge.
package struct LintSubject: Sendable {
    package var payload: [UInt8]
    /// The payload's content, or what the service extension made of it.
    package var content: NotificationContent
    package var decodingFindings: [Finding]
    /// The receiving app; nil when nobody described it.
    package var app: App?
    /// The device's language and region, in which texts are judged.
    package var locale = "en_US"
    /// `apns-push-type`; nil when the push has none.
    package var pushType: PushType?
    /// Whether content was updated from an intent: its texts are people's, and rules of style do not apply.
    package var isCommunication = false
    /// The request's identifier: `apns-collapse-id`, or a generated one.
    package var identifier = ""
    /// When the push came, on the device's clock.
    package var now: Instant?
    /// How many milliseconds a text counts as a repetition although its notification is gone
    /// (`Assumptions.duplicateWindow`).
    package var duplicateWindow = Assumptions().duplicateWindow
    /// The app's earlier pushes on the device; nil when nobody looked.
    package var history: LintHistory?

    /// Decodes a payload; anything at all may be passed.
    package init(payload: RawSpan, app: App? = nil) {
        let decoded = DecodedPayload(payload)
        self.payload = payload.withUnsafeBytes { Array($0) }
        self.app = app
        content = decoded.content
        decodingFindings = decoded.findings
    }
}

/// What came before a push, of the same app on the same device.
package struct LintHistory: Sendable {
    /// Earlier notifications, of which `content.duplicate` looks for equal ones.
    package var earlier: [Earlier] = []
    /// The levels that earlier pushes asked for, oldest first; the last 19 count.
    package var levels: [InterruptionLevel] = []
    /// The badge before this push; nil when none was set yet.
    package var badge: Int?
    /// How many pushes in a row, just before this one, set a badge and had no alert.
    package var badgesWithoutAlert = 0
    /// How many unread notifications the device counts with this one; nil leaves the badge uncompared.
    package var unreadCount: Int?

    package init() {}

    package struct Earlier: Sendable {
        package var identifier: String
        package var title: String
        package var subtitle: String
        package var body: String
        package var at: Instant
        /// Whether it is still in Notification Center.
        package var isListed: Bool

        /// Remembers a notification.
        package init(
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

/// A donation, and what is known around it, for `Lint` to judge.
package struct DonationSubject: Sendable {
    package var donation: Donation
    package var appState: Donation.AppState
    /// What the app donated just before, for the same action: in the same run of its extension, or within a second.
    package var recent: [Donation]

    package init(_ donation: Donation, from appState: Donation.AppState, recent: [Donation] = []) {
        self.donation = donation
        self.appState = appState
        self.recent = recent
    }
}

/// A donation with what several rules ask for, worked out once.
struct DonationFacts {
    let subject: DonationSubject
    /// Of a message or a call.
    let people: CommunicationContext?

    init(_ subject: DonationSubject) {
        self.subject = subject
        // A picture that is named is given, wherever it is.
        people = try? CommunicationContext(intent: subject.donation.intent, isLenient: true) { _ in "given" }
    }
}
