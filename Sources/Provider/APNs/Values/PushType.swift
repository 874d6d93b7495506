internal import RequestWire

/// `apns-push-type` (Apple, "Sending notification requests to APNs").
public enum PushType: UInt8, CaseIterable, Hashable, Sendable {
    case alert = 1, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip,
        widgets

    /// The header's value, which is the case's name.
    public var name: String { Self.names[Int(rawValue) - 1] }

    private static let names = allCases.map { "\($0)" }

    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// - Parameter bytes: The header's value, in lower case.
    public init?(_ bytes: RawSpan) {
        // Skips the table for the two most common types.
        switch bytes.byteCount {
        case 5 where bytes.equals("alert"): self = .alert
        case 10 where bytes.equals("background"): self = .background
        default:
            guard let type = Self.allCases.first(where: { bytes.equals(text: $0.name) }) else { return nil }
            self = type
        }
    }

    /// Follows the bundle identifier in the topic; empty when the topic is the bundle identifier.
    public var topicSuffix: String {
        switch self {
        case .alert, .background, .mdm: ""
        case .complication: ".complication"
        case .controls: ".push-type.controls"
        case .fileprovider: ".pushkit.fileprovider"
        case .liveactivity: ".push-type.liveactivity"
        case .location: ".location-query"
        case .pushtotalk: ".voip-ptt"
        case .voip: ".voip"
        case .widgets: ".push-type.widgets"
        }
    }

    public var maximumPayloadByteCount: Int { self == .voip ? 5120 : 4096 }

    /// The type whose suffix the topic has; `nil` for a plain bundle identifier.
    public init?(suffixOf topic: String) {
        guard let type = Self.allCases.first(where: { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) })
        else { return nil }
        self = type
    }

    /// The kind of an app's token for this type. A Live Activity's own token comes only from the device.
    public var tokenKind: TokenKind { self == .liveactivity ? .pushtostart : TokenKind(rawValue: name) ?? .app }
}

/// What a device token is for: alerts and background pushes to an app, or one other push type.
public enum TokenKind: String, CaseIterable, Codable, Hashable, Sendable {
    case app, complication, controls, fileprovider
    /// Updates and ends one Live Activity.
    case liveactivity
    case location, mdm
    /// Starts Live Activities.
    case pushtostart
    case pushtotalk, voip, widgets

    public init(topic: String) { self = PushType(suffixOf: topic)?.tokenKind ?? .app }

    /// nil when `topic` already matches. MDM pushes may also use the plain topic; other kinds have their own suffix.
    public func properTopic(insteadOf topic: String) -> String? {
        let implied = Self(topic: topic)
        guard pushType != implied.pushType, !(self == .mdm && implied == .app) else { return nil }
        return TopicRules.bundleID(of: topic) + pushType.topicSuffix
    }

    /// The type of a push without `apns-push-type` to such a token.
    public var pushType: PushType { self == .pushtostart ? .liveactivity : PushType(name: rawValue) ?? .alert }
}

/// `apns-priority`.
public enum Priority: UInt8, CaseIterable, Codable, Hashable, Sendable {
    /// Delivered at once; the default without a header.
    case immediate = 10
    case powerConserving = 5
    /// Never wakes the device.
    case lowPower = 1

    public init?(_ bytes: RawSpan) {
        if bytes.equals("10") {
            self = .immediate
        } else if bytes.equals("5") {
            self = .powerConserving
        } else if bytes.equals("1") {
            self = .lowPower
        } else {
            return nil
        }
    }
}
