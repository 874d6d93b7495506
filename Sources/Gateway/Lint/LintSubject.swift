package import APNs
package import DeviceModel
internal import JSON
package import LiveModel
package import Time

/// A push and its context.
package struct LintSubject: Sendable {
    package var payload: [UInt8]
    /// From the payload or the service extension.
    package var content: NotificationContent
    let decoded: DecodedPayload
    package var app: App?
    /// The app's bundle identifier, if it was named and never declared.
    package var undeclaredApp: String?
    package var locale = "en_US"
    package var pushType: PushType?
    /// `apns-topic`; nil when unknown.
    package var topic: String?
    /// Whether content was updated from an intent: its texts are by people, so rules of style do not apply.
    package var isCommunication = false
    /// `apns-collapse-id`, or a generated one.
    package var identifier = ""
    /// When the push arrived, on the device's clock.
    package var now: Instant?
    /// Milliseconds for which a text counts as repeated after its notification is gone.
    package var duplicateWindow = Assumptions().duplicateWindow
    package var history: LintHistory?
    package var expiration: Expiration?
    /// nil when unknown.
    package var hasCollapseID: Bool?
    /// What the device found in a push for a Live Activity.
    package var notes: [ActivityDecision.Note]?

    package init(payload: RawSpan, app: App? = nil) {
        let decoded = DecodedPayload(payload)
        self.payload = payload.withUnsafeBytes { Array($0) }
        self.app = app
        content = decoded.content
        self.decoded = decoded
    }
}

/// Earlier pushes of the same app on the same device.
package struct LintHistory: Sendable {
    package var earlier: [Earlier] = []
    /// The levels that earlier pushes asked for, oldest first; only the last 19 count.
    package var levels: [InterruptionLevel] = []
    package var badge: Int?
    /// How many consecutive pushes just before this one set a badge without an alert.
    package var badgesWithoutAlert = 0
    /// When background pushes arrived that could wake the app.
    package var backgroundPushes: [Instant] = []

    package init() {}

    package struct Earlier: Sendable {
        var identifier: String
        /// Title, subtitle and body.
        var texts: [String]
        var at: Instant
        /// Still in Notification Center.
        var isListed: Bool

        package init(_ content: NotificationContent, identifier: String, at: Instant, isListed: Bool) {
            texts = [content.title, content.subtitle, content.body]
            (self.identifier, self.at, self.isListed) = (identifier, at, isListed)
        }
    }
}

/// A donation and its context.
package struct DonationSubject: Sendable {
    let donation: Donation
    /// The previous donations for the same action: of the same run of an extension, or of the last seconds.
    let recent: [Donation]
    /// nil when unknown.
    let app: App?
    /// Whether a service extension made it.
    let isByExtension: Bool
    /// nil for any intent but a message or a call.
    let people: CommunicationContext?

    package init(_ donation: Donation, recent: [Donation] = [], app: App? = nil, isByExtension: Bool = true) {
        self.donation = donation
        self.recent = recent
        self.app = app
        self.isByExtension = isByExtension
        // A named picture counts as given.
        people = try? CommunicationContext(intent: donation.intent, isLenient: true) { _ in "given" }
    }
}

/// A subject and the facts that several rules need.
struct LintFacts {
    /// A text that the person reads.
    struct Text {
        var path: String
        var text: String
        var folded: String

        init(_ path: String, _ text: String) {
            self.path = path
            self.text = text
            folded = text.lowercased()
        }
    }

    let subject: LintSubject
    /// The header's, else what topic and payload say; nil when unknown.
    let type: PushType?
    /// nil unless it is a push for a Live Activity.
    let message: ActivityMessage?
    let aps: JSONObject
    /// The app's name in an .apns file.
    private let targetBundle: JSONValue?
    /// The keys beside `aps`.
    let custom: JSONObject
    /// Empty when the app lacks the text's localization key.
    let title: Text
    let subtitle: Text
    let body: Text
    let isAlertPush: Bool
    var isAlert: Bool { isAlertPush && content.hasAlert }

    var content: NotificationContent { subject.content }
    var app: App? { subject.app }
    /// What the person reads of an alert or a Live Activity's alert; other pushes show no text.
    var texts: [Text] {
        isAlertPush || message != nil ? [title, subtitle, body].filter { !$0.text.isEmpty } : []
    }
    /// Excludes texts written by people.
    var writtenTexts: [Text] { subject.isCommunication ? [] : texts }

    /// The decoder's findings that hold for the type of push.
    var decodingFindings: [Finding] {
        subject.decoded.findings(for: type)
            + custom.sorted { $0.key < $1.key }.compactMap { findingBesideAPS($0.key, $0.value) }.bounded
            + [targetBundle.flatMap { Finding(targetBundle: $0) }].compactMap(\.self)
    }

    /// nil for a custom key.
    func findingBesideAPS(_ key: String, _ value: JSONValue) -> Finding? {
        Finding(keyBesideAPS: key, value, for: type) { aps[$0] != nil }
    }

    /// False for an unknown app.
    func lacks(_ entitlement: Entitlement) -> Bool { app.map { !$0.has(entitlement) } ?? false }

    init(_ subject: LintSubject) {
        self.subject = subject
        var members: JSONObject = [:]
        if case .object(let object) = JSONValue(subject.payload.span.bytes) { members = object }
        var bodyPath = "aps.alert.body"
        aps = if case .object(let aps) = members["aps"] { aps } else { [:] }
        if case .string = aps["alert"] { bodyPath = "aps.alert" }
        let named = subject.pushType ?? subject.topic.map { PushType(suffixOf: $0) ?? .alert }
        let isMDM = subject.pushType == nil && members["aps"] == nil && members["mdm"] != nil
        type = isMDM ? .mdm : named ?? (aps["event"] == nil ? nil : .liveactivity)
        message = type == .liveactivity ? ActivityMessage(.object(members)) : nil
        members["aps"] = nil
        // Names the app in an .apns file; not delivered.
        targetBundle = members[PayloadKey.targetBundle]
        members[PayloadKey.targetBundle] = nil
        custom = members
        let content = subject.content
        let localizer = subject.app.map { Localizer(app: $0, locale: subject.locale) }
        func text(_ path: String, _ text: String, _ key: LocalizedText?) -> Text {
            guard let key else { return Text(path, text) }
            let lookup = localizer?.lookup(key)
            return Text(path, lookup?.isKnown == true ? lookup?.text ?? "" : text)
        }
        title = text(AlertKey.title.path, content.title, content.titleLocalization)
        subtitle = text(AlertKey.subtitle.path, content.subtitle, content.subtitleLocalization)
        body = text(bodyPath, content.body, content.bodyLocalization)
        isAlertPush = (named ?? .alert) == .alert
    }
}
