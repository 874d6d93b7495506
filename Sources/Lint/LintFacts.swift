internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel

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
    /// nil unless it is a push for a Live Activity.
    let message: ActivityMessage?
    let aps: JSONObject
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
    var texts: [Text] { [title, subtitle, body].filter { !$0.text.isEmpty } }
    /// Excludes texts written by people.
    var writtenTexts: [Text] { subject.isCommunication ? [] : texts }

    /// False for an unknown app.
    func lacks(_ entitlement: Entitlement) -> Bool { app.map { !$0.has(entitlement) } ?? false }

    init(_ subject: LintSubject) {
        self.subject = subject
        var members: JSONObject = [:]
        if case .object(let object) = JSONValue(subject.payload.span.bytes) { members = object }
        var bodyPath = "aps.alert.body"
        aps = if case .object(let aps) = members["aps"] { aps } else { [:] }
        if case .string = aps["alert"] { bodyPath = "aps.alert" }
        let isLive = subject.pushType.map { $0 == .liveactivity } ?? (aps["event"] != nil)
        message = isLive ? ActivityMessage(.object(members)) : nil
        members["aps"] = nil
        // Names the app in an .apns file; not delivered.
        members["Simulator Target Bundle"] = nil
        custom = members
        let content = subject.content
        let localizer = subject.app.map { Localizer(app: $0, locale: subject.locale) }
        func text(_ path: String, _ text: String, _ key: LocalizedText?) -> Text {
            guard let key else { return Text(path, text) }
            let lookup = localizer?.lookup(key)
            return Text(path, lookup?.isKnown == true ? lookup?.text ?? "" : "")
        }
        title = text(AlertKey.title.path, content.title, content.titleLocalization)
        subtitle = text(AlertKey.subtitle.path, content.subtitle, content.subtitleLocalization)
        body = text(bodyPath, content.body, content.bodyLocalization)
        isAlertPush = (subject.pushType ?? .alert) == .alert
    }
}
