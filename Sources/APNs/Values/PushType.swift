internal import Wire

/// `apns-push-type`: what a push is for (Apple, "Sending notification requests to APNs").
public enum PushType: UInt8, CaseIterable, Hashable, Sendable {
    case alert = 1, background, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip,
        widgets

    /// The header's value.
    public var name: String {
        switch self {
        case .alert: "alert"
        case .background: "background"
        case .complication: "complication"
        case .controls: "controls"
        case .fileprovider: "fileprovider"
        case .liveactivity: "liveactivity"
        case .location: "location"
        case .mdm: "mdm"
        case .pushtotalk: "pushtotalk"
        case .voip: "voip"
        case .widgets: "widgets"
        }
    }

    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = type
    }

    /// The header's value as bytes; upper case is not accepted.
    public init?(_ bytes: RawSpan) {
        // The two that nearly every push has, without a table.
        switch bytes.byteCount {
        case 5 where bytes.equals("alert"): self = .alert
        case 10 where bytes.equals("background"): self = .background
        default:
            guard let type = Self.allCases.first(where: { bytes.equals(text: $0.name) }) else { return nil }
            self = type
        }
    }

    /// What follows the bundle identifier in the topic; empty when the topic is the bundle identifier.
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

    /// The largest payload in bytes.
    public var maximumPayloadByteCount: Int { self == .voip ? 5120 : 4096 }

    /// The kind of token such a push goes to.
    public var tokenKind: TokenKind {
        switch self {
        case .alert, .background: .app
        case .complication: .complication
        case .controls: .controls
        case .fileprovider: .fileprovider
        case .liveactivity: .liveactivity
        case .location: .location
        case .mdm: .mdm
        case .pushtotalk: .pushtotalk
        case .voip: .voip
        case .widgets: .widgets
        }
    }
}

/// What a device token was issued for.
public enum TokenKind: String, CaseIterable, Codable, Hashable, Sendable {
    case app, complication, controls, fileprovider, liveactivity, location, mdm, pushtotalk, voip, widgets

    /// The kind that a topic's suffix asks for.
    public init(topic: String) {
        let type = PushType.allCases.first { !$0.topicSuffix.isEmpty && topic.hasSuffix($0.topicSuffix) }
        self = type?.tokenKind ?? .app
    }

    /// The topic that such a token goes with instead of one that it does not; `nil` when it goes with it.
    ///
    /// Mobile device management pushes to the plain topic too; every other kind has a suffix of its own.
    public func properTopic(insteadOf topic: String) -> String? {
        let implied = Self(topic: topic)
        guard self != implied, !(self == .mdm && implied == .app) else { return nil }
        return TopicRules.bundleID(of: topic) + pushType.topicSuffix
    }

    /// What such a token gets when a push does not say what it is for.
    public var pushType: PushType {
        PushType.allCases.first { $0.tokenKind == self } ?? .alert
    }
}
