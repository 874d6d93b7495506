package import APNs
package import JSON

/// An interaction that an app or its extension told the system about (`INInteraction.donate`).
package struct Donation: Sendable, Hashable, Codable {
    /// `INInteraction.identifier`.
    package var identifier: String
    /// `INInteraction.groupIdentifier`.
    package var groupIdentifier: String?
    package var direction: Direction
    /// When it took place, and how long.
    package var startedAt: Instant?
    /// Seconds.
    package var duration: Double
    /// The intent with all of its members, `class` among them.
    package var intent: JSONValue
    /// The intent's response; nil when there is none.
    package var response: JSONValue?

    package init(
        identifier: String, groupIdentifier: String? = nil, direction: Direction = .unspecified,
        startedAt: Instant? = nil, duration: Double = 0, intent: JSONValue, response: JSONValue? = nil
    ) {
        self.identifier = identifier
        self.groupIdentifier = groupIdentifier
        self.direction = direction
        self.startedAt = startedAt
        self.duration = duration
        self.intent = intent
        self.response = response
    }

    /// `INInteractionDirection`.
    package enum Direction: String, CaseIterable, Codable, Sendable {
        case unspecified, outgoing, incoming
    }
}

extension Donation {
    package enum AppState: String, CaseIterable, Sendable {
        case foreground, background
        /// The donation is its service extension's.
        case `extension`
    }

    /// A donation as an event tells it (D.2); the app stands beside.
    ///
    /// `context` is what predictions go by: the minute of the day and the day of the week in the device's time zone (1 is
    /// Sunday, as Apple counts), the Focus, and where the device is if anybody knows.
    ///
    /// - Parameter at: when it was donated, on the device's clock.
    package func details(
        at: Instant, from appState: AppState, device: DeviceConditions, place: String? = nil
    ) -> JSONObject {
        var details: JSONObject = [
            "identifier": .string(identifier), "direction": .string(direction.rawValue), "intent": intent,
            "appState": .string(appState.rawValue),
            "context": .object(Self.context(at: at, device: device, place: place)),
        ]
        if let groupIdentifier { details["groupIdentifier"] = .string(groupIdentifier) }
        if let startedAt {
            details["dateInterval"] = .object(["start": .string(startedAt.text), "duration": .number(duration)])
        }
        if let response { details["response"] = response }
        return details
    }

    private static func context(at: Instant, device: DeviceConditions, place: String?) -> JSONObject {
        var context: JSONObject = [:]
        if let calendar = LocalCalendar(timeZone: device.timeZone) {
            let wall = at.milliseconds + calendar.offset(at: at) * 1000 - calendar.day(at: at) * 86_400_000
            context["minuteOfDay"] = .integer(Int(wall / 60000))
            context["weekday"] = .integer(calendar.weekday(at: at).appleNumber)
        }
        if let focus = device.focus.activeMode { context["focus"] = .string(focus.id) }
        if let place { context["place"] = .string(place) }
        return context
    }
}

extension Weekday {
    /// As `DateComponents.weekday` counts: 1 is Sunday.
    fileprivate var appleNumber: Int { (rawValue + 1) % 7 + 1 }
}
