package import DeviceModel
internal import LiveModel

/// What an app does about its donations.
package enum DonationInput: Hashable, Codable, Sendable {
    case donate(Donation, app: String, DonationEntry.AppState)
    case delete(DonationScope, app: String)
}

/// Which of an app's donations (`INInteraction.delete`).
package enum DonationScope: Hashable, Codable, Sendable {
    case identifiers([String])
    case group(String)
    case all

    func contains(_ donation: Donation) -> Bool {
        switch self {
        case .identifiers(let identifiers): identifiers.contains(donation.identifier)
        case .group(let group): donation.groupIdentifier == group
        case .all: true
        }
    }
}

extension SiriState {
    mutating func reduce(
        _ input: DonationInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {
        switch input {
        case .donate(let donation, let app, let state):
            // INIntentErrorCode 1901.
            guard !context.isTerminated(app) else {
                throw LiveError(.conflict, "\(app) is not running, so it cannot donate (error 1901); open it first")
            }
            donate(donation, by: app, in: state, context, &effects)
        case .delete(let scope, let app): donations.remove(scope, of: app)
        }
    }
}
