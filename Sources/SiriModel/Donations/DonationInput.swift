package import DeviceModel
internal import Fields
internal import JSON
package import LiveModel

/// Donation calls of an app.
package enum DonationInput: Hashable, Codable, Sendable {
    case donate(Donation, app: String, DonationEntry.AppState)
    case delete(DonationScope, app: String)
    /// `INRelevantShortcutStore.setRelevantShortcuts`: replaces the app's list.
    case setRelevantShortcuts([RelevantShortcut], app: String)
    /// `INUpcomingMediaManager`: replaces the app's list.
    case setUpcomingMedia(UpcomingMedia, app: String)

    var app: String {
        switch self {
        case .donate(_, let app, _), .delete(_, let app), .setRelevantShortcuts(_, let app),
            .setUpcomingMedia(_, let app):
            app
        }
    }
}

extension SiriState {
    mutating func reduce(
        _ input: DonationInput, _ context: LiveContext, _ effects: inout LiveEffects
    ) throws(LiveError) {
        let app = input.app
        // INIntentErrorCode 1901.
        guard !context.isTerminated(app) else {
            throw LiveError(
                .conflict,
                "\(app) is not running, so it cannot change its donations (errors 1901 to 1904); "
                    + "open it first")
        }
        switch input {
        case .donate(let donation, _, let state):
            let limit = DonationStore.donationByteLimit
            let count = donation.json.bytes.count
            guard count <= limit else {
                throw LiveError(.invalid, "the donation has \(count) bytes of JSON; accepted are at most \(limit)")
            }
            do throws(FieldError) {
                _ = try ReservationDonation(donation)
            } catch {
                throw LiveError(.invalid, "'\(error.problems[0].path)' \(error.problems[0].message)")
            }
            donate(donation, by: app, in: state, context, &effects)
        case .delete(let scope, _): donations.remove(scope, of: app)
        case .setRelevantShortcuts(let list, _): try donations.set(shortcuts: list, of: app)
        case .setUpcomingMedia(let media, _): try donations.set(media: media, of: app)
        }
    }
}

extension SiriState {
    /// A call of a service extension; one with invalid members has no effect.
    package mutating func take(
        _ call: DonationCall, by app: String, _ context: LiveContext, _ effects: inout LiveEffects
    ) {
        switch call {
        case .donate(let donation): donate(donation, by: app, in: .extension, context, &effects)
        case .delete(let scope): donations.remove(scope, of: app)
        case .becomeCurrent(let json):
            guard let activity = try? UserActivity(json: json) else { return }
            let donation = activity.donation(named: "activity-\(donations.lastNumber + 1)")
            donate(donation, by: app, in: .extension, context, &effects)
        case .deleteUserActivities(let identifiers): donations.removeActivities(identifiers, of: app)
        case .setRelevantShortcuts(let list):
            let shortcuts = list.prefix(NewDonation.shortcutLimit).compactMap { try? RelevantShortcut(json: $0) }
            try? donations.set(shortcuts: shortcuts, of: app)
        case .setSuggestedMediaIntents(let intents):
            var media = donations.media[app] ?? UpcomingMedia()
            media.intents = Array(intents.prefix(UpcomingMedia.limit))
            try? donations.set(media: media, of: app)
        case .setPredictionMode(let mode, let type):
            var media = donations.media[app] ?? UpcomingMedia()
            guard media.predictionModes.count < UpcomingMedia.limit else { return }
            media.predictionModes[type] = mode
            try? donations.set(media: media, of: app)
        }
    }
}
