package import DeviceModel
package import JSON
package import Time

/// A stored donation with the context that it was made in (D.2).
package struct DonationEntry: Hashable, Codable, Sendable {
    /// In the order of donation; counts from 1 on each device.
    package internal(set) var number: UInt64 = 0
    package let app: String
    package let at: Instant
    package let appState: AppState
    package let context: DonationContext
    package let donation: Donation
    /// One for each combination; none when it cannot be suggested.
    package let keys: [DonationKey]
    /// The recipients of an outgoing message or call: `contact:ID` or `person:BUNDLE/ID`.
    let people: [String]
    /// Of the JSON and the keys.
    let byteCount: Int

    package enum AppState: String, CaseIterable, Codable, Sendable { case foreground, background, `extension` }

    init(
        _ donation: Donation, by app: String, in state: AppState, wokeAt: Instant?, _ context: DeviceContext
    ) {
        (self.app, at, appState, self.donation) = (app, context.now, state, donation)
        self.context = DonationContext(context, wokeAt: wokeAt)
        keys = DonationKey.keys(of: donation.intent, in: context.app(app), on: context.device)
        people = donation.direction == .outgoing ? donation.people(of: app, on: context.device) : []
        byteCount = keys.reduce(donation.json.bytes.count) { $0 + $1.text.utf8.count }
    }

    /// Siri learns from what the person does (E.4).
    var teaches: Bool {
        switch donation.direction {
        case .outgoing: true
        case .incoming: false
        case .unspecified: donation.intentClass.flatMap { CommunicationContext.Intent(rawValue: $0) } == nil
        }
    }

    /// The `details` of its event, without the app, which the event has itself.
    package var details: JSONObject {
        guard case .object(var members) = donation.json else { return [:] }
        members["appState"] = .string(appState.rawValue)
        members["context"] = context.json
        return members
    }
}

extension Donation {
    fileprivate func people(of app: String, on device: DeviceConditions) -> [String] {
        guard let communication else { return [] }
        // A call's contacts begin with the sender.
        let all = communication.intent == .startCall ? [communication.sender] : []
        return (all + communication.recipients).filter { !$0.isMe }.map {
            PersonMatch($0, in: device, bundleID: app).id
        }
    }
}

/// The context that predictions may depend on.
package struct DonationContext: Hashable, Codable, Sendable {
    package var minuteOfDay: Int
    /// Counts from 1, Sunday (`DateComponents.weekday`).
    package var weekday: Int
    /// Minutes since the person woke on this day; nil before that.
    package var sinceWake: Int?
    package var place: String?
    package var focus: String?

    init(_ context: DeviceContext, wokeAt: Instant?) {
        let calendar = context.device.calendar
        minuteOfDay = calendar?.minuteOfDay(at: context.now) ?? 0
        weekday = (calendar?.weekday(at: context.now) ?? .monday).number
        if let wokeAt, calendar?.day(at: wokeAt) == calendar?.day(at: context.now) {
            sinceWake = Int(context.now.milliseconds(since: wokeAt) / .minute)
        }
        place = context.place.regions.first
        focus = context.device.focus.activeMode?.id
    }

    /// The day on the device's clock of then, which may have been in another time zone.
    func day(near instant: Instant) -> Int64 {
        let days = instant.day - 1...instant.day + 1
        return days.first { LocalDate(day: $0).weekday.number == weekday } ?? instant.day
    }

    package var json: JSONValue {
        [
            "minuteOfDay": .integer(minuteOfDay), "weekday": .integer(weekday),
            "sinceWakeMin": sinceWake.map { .integer($0) }, "place": place.map { .string($0) },
            "focus": focus.map { .string($0) },
        ]
    }
}
