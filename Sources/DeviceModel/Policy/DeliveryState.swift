/// Why a device drops a push that APNs accepted.
public enum DiscardReason: UInt8, CaseIterable, Sendable {
    case invalidJSON = 1
    case payloadNotAnObject
    case apsNotAnObject

    /// The reason in API, command line and page.
    public var name: String {
        switch self {
        case .invalidJSON: "invalid-json"
        case .payloadNotAnObject: "payload-not-an-object"
        case .apsNotAnObject: "aps-not-an-object"
        }
    }
}

/// How far a push has come on its way to the person.
public enum DeliveryState: Sendable, Hashable {
    /// The gateway answered 200; the device has not decided yet.
    case accepted
    /// The device has it.
    case delivered
    /// The device dropped it; the provider never hears of that.
    case discarded(DiscardReason)

    /// The state in API, command line and page; a reason stands beside it.
    public var name: String { kind.rawValue }

    /// The state without its reason.
    public var kind: Kind {
        switch self {
        case .accepted: .accepted
        case .delivered: .delivered
        case .discarded: .discarded
        }
    }

    /// The states without their reasons, to select by.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        case accepted, delivered, discarded
    }

    /// Why the push was dropped.
    public var discardReason: DiscardReason? {
        if case .discarded(let reason) = self { reason } else { nil }
    }
}

extension DiscardReason: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        guard let reason = Self.allCases.first(where: { $0.name == name }) else {
            let message = "unknown discard reason \"\(name)\""
            throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
        }
        self = reason
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

extension DeliveryState: Codable {
    private enum CodingKeys: CodingKey { case state, reason }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try container.decode(Kind.self, forKey: .state) {
            case .accepted: .accepted
            case .delivered: .delivered
            case .discarded: .discarded(try container.decode(DiscardReason.self, forKey: .reason))
            }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind, forKey: .state)
        try container.encodeIfPresent(discardReason, forKey: .reason)
    }
}
