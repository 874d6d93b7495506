internal import APNs
internal import Gateway

/// A set of defaults for every switch; a switch that is set by itself wins over it.
package enum Profile: String, CaseIterable, Codable, Sendable {
    /// What APNs has been seen to do.
    case faithful
    /// What Apple's documents describe and nothing beside it: finds a provider's mistakes.
    case strict
    /// Whatever a client library sends: for back ends that cannot be changed, or have no key yet.
    case lenient
}

extension Configuration {
    /// The defaults of a profile.
    package init(profile: Profile) {
        self.profile = profile
        switch profile {
        case .faithful: break
        case .strict:
            auth.mode = .strict
            auth.leniency = .strict
            strict.payload = true
            strict.backgroundPriority = true
            tokens.unknown = .reject
        case .lenient:
            auth.mode = .off
            auth.leniency = .lenient
            auth.policy.updateInterval = .zero
            streams.oneUntilAccepted = false
        }
    }
}
