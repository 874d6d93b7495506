package import APNs
package import DeviceModel

/// A push with its context, for `Lint`.
package struct LintSubject: Sendable {
    package var payload: [UInt8]
    /// The payload's content, or the service extension's.
    package var content: NotificationContent
    let decodingFindings: [Finding]
    package var app: App?
    /// The device's language and region.
    package var locale = "en_US"
    package var pushType: PushType?
    /// Whether content was updated from an intent: people wrote its texts, and rules of style do not apply.
    package var isCommunication = false
    /// `apns-collapse-id`, or a generated one.
    package var identifier = ""
    /// When the push came, on the device's clock.
    package var now: Instant?
    /// Milliseconds in which a text counts as repeated although its notification is gone.
    package var duplicateWindow = Assumptions().duplicateWindow
    /// The app's earlier pushes on the device, if known.
    package var history: LintHistory?

    /// - Parameter payload: any bytes.
    package init(payload: RawSpan, app: App? = nil) {
        let decoded = DecodedPayload(payload)
        self.payload = payload.withUnsafeBytes { Array($0) }
        self.app = app
        content = decoded.content
        decodingFindings = decoded.findings
    }
}

/// The earlier pushes of the same app on the same device.
package struct LintHistory: Sendable {
    package var earlier: [Earlier] = []
    /// The levels that earlier pushes asked for, oldest first; the last 19 count.
    package var levels: [InterruptionLevel] = []
    /// The badge before this push.
    package var badge: Int?
    /// How many pushes in a row, just before this one, set a badge and had no alert.
    package var badgesWithoutAlert = 0
    /// Unread notifications on the device, this one included; nil leaves the badge uncompared.
    package var unreadCount: Int?

    package init() {}

    package struct Earlier: Sendable {
        var identifier: String
        /// Title, subtitle and body.
        var texts: [String]
        var at: Instant
        /// Whether it is still in Notification Center.
        var isListed: Bool

        package init(_ content: NotificationContent, identifier: String, at: Instant, isListed: Bool) {
            texts = [content.title, content.subtitle, content.body]
            (self.identifier, self.at, self.isListed) = (identifier, at, isListed)
        }
    }
}

/// A donation with its context, for `Lint`.
package struct DonationSubject: Sendable {
    let donation: Donation
    let appState: Donation.AppState
    /// The app's donations just before, for the same action: in the same run of its extension, or within a second.
    let recent: [Donation]
    /// Of a message or a call.
    let people: CommunicationContext?

    package init(_ donation: Donation, from appState: Donation.AppState, recent: [Donation] = []) {
        self.donation = donation
        self.appState = appState
        self.recent = recent
        // A picture that is named counts as given.
        people = try? CommunicationContext(intent: donation.intent, isLenient: true) { _ in "given" }
    }
}
