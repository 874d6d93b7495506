/// What a notification sounds like.
public enum NotificationSound: Sendable, Hashable {
    /// The system's sound.
    case `default`
    /// A file of the app.
    case named(String)
    /// A critical alert's sound, which ignores the silent switch given the entitlement; `volume` is 0…1.
    case critical(name: String, volume: Double)

    /// Whether it ignores the silent switch.
    public var isCritical: Bool {
        if case .critical = self { true } else { false }
    }
}

extension NotificationSound: Codable {
    private enum CodingKeys: CodingKey { case name, critical, volume }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        if try container.decodeIfPresent(Bool.self, forKey: .critical) == true {
            self = .critical(name: name, volume: try container.decodeIfPresent(Double.self, forKey: .volume) ?? 1)
        } else {
            self = Self(named: name)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .default: try container.encode("default", forKey: .name)
        case .named(let name): try container.encode(name, forKey: .name)
        case .critical(let name, let volume):
            try container.encode(name, forKey: .name)
            try container.encode(true, forKey: .critical)
            try container.encode(volume, forKey: .volume)
        }
    }

    /// The sound that a payload's string means.
    public init(named name: String) {
        self = name == "default" ? .default : .named(name)
    }
}
