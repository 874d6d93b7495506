package import APNs
internal import DeviceModel
package import JSON
package import Time

/// A Live Activity push's payload, parsed once for all activities that receive it.
package struct ActivityMessage: Hashable, Codable, Sendable {
    package enum Event: String, CaseIterable, Codable, Sendable { case start, update, end }

    package var hasAPS = false
    /// `event` as sent.
    package var eventText: String?
    package var event: Event?
    /// In seconds since 1970.
    package var timestamp: Double?
    package var contentState: JSONValue?
    package var attributes: JSONValue?
    package var attributesType: String?
    package var staleDate: Instant?
    package var dismissalDate: Instant?
    package var relevance = 0.0
    package var alert: ActivityAlert?
    package var wantsToken = false
    package var channel: String?
    package var isPassive = false
    /// The size of `content-state` as compact JSON.
    package var contentByteCount = 0
    package var attributesByteCount = 0

    package init(_ payload: JSONValue?) {
        guard case .object(let aps)? = payload?["aps"] else { return }
        hasAPS = true
        eventText = aps["event"]?.string
        event = eventText.flatMap(Event.init)
        timestamp = aps["timestamp"]?.finite
        contentState = aps["content-state"]
        attributes = aps["attributes"]
        attributesType = aps["attributes-type"]?.string
        staleDate = aps["stale-date"]?.double.map { Instant(seconds: $0) }
        dismissalDate = aps["dismissal-date"]?.double.map { Instant(seconds: $0) }
        relevance = aps["relevance-score"]?.finite ?? 0
        alert = aps["alert"].flatMap(ActivityAlert.init)
        wantsToken = [.integer(1), .bool(true)].contains(aps["input-push-token"])
        channel = aps["input-push-channel"]?.string
        isPassive = aps["interruption-level"]?.string == InterruptionLevel.passive.rawValue
        contentByteCount = contentState?.text.utf8.count ?? 0
        attributesByteCount = attributes?.text.utf8.count ?? 0
    }

    package init(payload: RawSpan) { self.init(JSONValue(payload)) }
}

extension JSONValue {
    /// A number too large for a `Double` is the largest one, because JSON, and so a state, has no infinity.
    fileprivate var finite: Double? {
        double.map { max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, $0)) }
    }
}

/// The `alert` of a Live Activity: texts or localization keys, and a sound.
package struct ActivityAlert: Hashable, Codable, Sendable {
    package struct Text: Hashable, Codable, Sendable {
        package var text: String?
        package var key: String?
        package var arguments: [String] = []

        package init(text: String) { self.text = text }

        fileprivate init?(_ json: JSONValue?, key: JSONValue?, arguments: JSONValue?) {
            text = json?.string
            self.key = json?["loc-key"]?.string ?? key?.string
            if case .array(let values) = json?["loc-args"] ?? arguments ?? .null {
                self.arguments = values.map { $0.string ?? $0.text }
            }
            if text == nil, self.key == nil { return nil }
        }

        fileprivate func shown(_ localizer: Localizer, _ rule: Assumptions.TextBesideKey) -> String {
            localizer.shown(text ?? "", key.map { LocalizedText(key: $0, arguments: arguments) }, rule)
        }
    }

    package var title: Text?
    package var body: Text?
    /// `default` or a file; nil when absent, empty for silence.
    package var sound: String?

    package init(title: String? = nil, body: String? = nil, sound: String? = nil) {
        self.title = title.map { Text(text: $0) }
        self.body = body.map { Text(text: $0) }
        self.sound = sound
    }

    /// A string is the body.
    init?(_ json: JSONValue) {
        switch json {
        case .string(let text): self.init(body: text)
        case .object(let members):
            self.init(sound: members["sound"]?.string ?? members["sound"]?["name"]?.string)
            title = Text(members["title"], key: members["title-loc-key"], arguments: members["title-loc-args"])
            body = Text(members["body"], key: members["loc-key"], arguments: members["loc-args"])
        case .null, .bool, .integer, .number, .array, .verbatim: return nil
        }
    }

    /// The texts in the device's language.
    func texts(in context: PolicyContext) -> LiveActivity.AlertTexts {
        let localizer = Localizer(app: context.app, locale: context.device.locale)
        let rule = context.assumptions.textBesideKey
        return LiveActivity.AlertTexts(
            title: title?.shown(localizer, rule) ?? "", body: body?.shown(localizer, rule) ?? "")
    }
}

/// What a push is addressed to.
package enum ActivityAddress: Hashable, Codable, Sendable {
    /// A token that starts activities, of one type or of any.
    case pushToStart(isStale: Bool, type: String?)
    case activity(String)
    case channel(ChannelKey)
}

/// A push on its way to an app's activities.
package struct ActivityPush: Hashable, Codable, Sendable {
    package var message: ActivityMessage
    package var address: ActivityAddress
    package var bundleID: String
    package var environment: APNsEnvironment
    package var priority: Priority
    /// The push's `apns-id`, or a broadcast's `apns-unique-id`.
    package var id: String
    /// The notification's number; nil for a broadcast.
    package var sequence: UInt64?

    package init(
        _ message: ActivityMessage, to address: ActivityAddress, bundleID: String, environment: APNsEnvironment,
        priority: Priority = .immediate, id: String, sequence: UInt64? = nil
    ) {
        self.message = message
        self.address = address
        self.bundleID = bundleID
        self.environment = environment
        self.priority = priority
        self.id = id
        self.sequence = sequence
    }
}
