package import DeviceModel
internal import Fields
internal import JSON

extension SiriState {
    /// A call of the app itself.
    ///
    /// - Parameter state: Where its code runs.
    /// - Throws: When the call is impossible; nothing has changed then.
    package mutating func reduce(
        _ call: DonationCall, by app: String, in state: DonationEntry.AppState, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        // INIntentErrorCode 1901.
        guard !context.isTerminated(app) else {
            throw DeviceError(
                .conflict,
                "\(app) is not running, so it cannot change its donations (errors 1901 to 1904); "
                    + "open it first")
        }
        try carryOut(call, by: app, in: state, context, &effects)
    }

    /// A call of a service extension. One that the app could not make, either, has no effect but a `diagnostic`.
    package mutating func take(
        _ call: DonationCall, by app: String, _ context: DeviceContext, _ effects: inout DeviceEffects
    ) {
        do throws(DeviceError) {
            try carryOut(call, by: app, in: .extension, context, &effects)
        } catch {
            let details: JSONObject = ["reason": .string("donationRefused"), "message": .string(error.message)]
            effects.emit(.diagnostic, app: app, details)
        }
    }

    private mutating func carryOut(
        _ call: DonationCall, by app: String, in state: DonationEntry.AppState, _ context: DeviceContext,
        _ effects: inout DeviceEffects
    ) throws(DeviceError) {
        switch call {
        case .donate(var donation):
            if donation.identifier.isEmpty { donation.identifier = "donation-\(donations.lastNumber + 1)" }
            try donate(donation, by: app, in: state, context, &effects)
        case .delete(let scope): donations.remove(scope, of: app)
        case .becomeCurrent(let json):
            let activity: UserActivity = try read(json)
            let donation = activity.donation(named: "activity-\(donations.lastNumber + 1)")
            try donate(donation, by: app, in: state, context, &effects)
        case .deleteUserActivities(let identifiers): donations.removeActivities(identifiers, of: app)
        case .setRelevantShortcuts(let list):
            let shortcuts = list.prefix(NewDonation.shortcutLimit).compactMap { try? RelevantShortcut(json: $0) }
            try donations.set(shortcuts: shortcuts, of: app)
        case .setUpcomingMedia(let json): try donations.set(media: try read(json), of: app)
        case .setSuggestedMediaIntents(let intents):
            var media = donations.media[app] ?? UpcomingMedia()
            media.intents = Array(intents.prefix(UpcomingMedia.limit))
            try donations.set(media: media, of: app)
        case .setPredictionMode(let mode, let type):
            var media = donations.media[app] ?? UpcomingMedia()
            media.predictionModes[type] = mode
            try donations.set(media: media, of: app)
        }
    }

    private func read<Value: FieldDescribed>(_ json: JSONValue) throws(DeviceError) -> Value {
        do throws(FieldError) {
            return try Value(json: json)
        } catch {
            throw DeviceError(.invalid, error.text)
        }
    }
}

extension Donation {
    /// Its reservations, nil for another intent; throws for a donation that the device refuses.
    var checkedReservations: ReservationDonation? {
        get throws(DeviceError) {
            let (count, limit) = (json.bytes.count, DonationCall.byteLimit)
            guard count <= limit else {
                throw DeviceError(.invalid, "the donation has \(count) bytes of JSON; accepted are at most \(limit)")
            }
            do throws(FieldError) {
                return try ReservationDonation(self)
            } catch {
                throw DeviceError(.invalid, error.text)
            }
        }
    }
}

extension FieldError {
    fileprivate var text: String { "'\(problems[0].path)' \(problems[0].message)" }
}
