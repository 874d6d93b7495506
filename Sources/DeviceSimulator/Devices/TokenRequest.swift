package import APNs

/// What a device token is issued for; the same request always gets the same token.
package struct TokenRequest: Sendable, Hashable {
    /// The device's name.
    package var device: String
    /// The topic that the token is good for.
    package var topic: String
    /// The environment that the token is good for.
    package var environment: APNsEnvironment
    /// What the token is used for.
    package var kind: TokenKind
    /// 0 at first, one more each time the app registers anew after it had unregistered.
    package var generation: Int

    package init(
        device: String, topic: String, environment: APNsEnvironment, kind: TokenKind, generation: Int = 0
    ) {
        self.device = device
        self.topic = topic
        self.environment = environment
        self.kind = kind
        self.generation = generation
    }

    /// How long the token is: 80 bytes for a Live Activity, 32 for everything else.
    package var byteCount: Int { kind == .liveactivity ? 80 : 32 }

    /// What to derive a token from: every part, kept apart by NUL.
    package var seed: [UInt8] {
        Array([device, topic, environment.rawValue, kind.rawValue, String(generation)].joined(separator: "\0").utf8)
    }
}
