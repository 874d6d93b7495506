package import DeviceModel
internal import JSON
package import LiveModel
package import SiriModel
package import Time

/// Every input of a device except pushes, as the journal records it.
package enum DeviceInput: Codable, Sendable {
    case act(DeviceAct)
    case extended(UInt64, Shared<ExtensionRecord>)
    case conditions(DeviceConditions)
    /// nil restores the app's own settings.
    case settings(NotificationSettings?, app: String)
    case activity(ActivityInput)
    case local(LocalInput)
    case service(ServiceInput)
    /// The developer changed the widgets or controls of an app.
    case surfaces(app: String)
    case donation(DonationCall, app: String, DonationEntry.AppState)
    case calendar(CalendarInput)
    case webhook(WebhookResult)
    /// Only advances the clock.
    case time
    /// The clock went back; nil if its former time is unknown.
    case setBack(from: Instant?)

    /// Whether a device that is switched off rejects it.
    var needsPower: Bool {
        switch self {
        // A device that is off can be moved.
        case .local(.move): false
        case .act, .activity, .local, .service(.settings), .donation, .calendar: true
        case .extended, .conditions, .settings, .service(.replies), .surfaces, .webhook, .time, .setBack: false
        }
    }

    /// The app that the input concerns, other than by its settings; nil for none.
    func app(before conditions: DeviceConditions) -> String? {
        switch self {
        case .act(let act): act.app
        case .conditions(let new): new.foregroundApp == conditions.foregroundApp ? nil : new.foregroundApp
        case .activity(let input): input.app
        case .local(.add(let request)): request.app
        case .local(.removeAllPending(let app)): app
        case .local(.removePending(_, let app)), .service(.settings(_, let app, _)), .donation(_, let app, _): app
        case .local(.move), .service(.replies), .surfaces, .calendar, .extended, .settings, .webhook, .time, .setBack:
            nil
        }
    }

    /// Whether it may bring reservations.
    var maySpread: Bool {
        switch self {
        case .calendar(.markup): true
        case .donation(.donate(let donation), _, _): donation.intentClass == ReservationDonation.intentClass
        default: false
        }
    }
}

/// The outcome of delivering an event to a webhook, as the device's event log records it.
package struct WebhookResult: Hashable, Codable, Sendable {
    package var webhook: String
    /// The delivery's identifier.
    package var delivery: String
    /// The event that was sent.
    package var number: UInt64
    package var event: DeviceEvent.Kind
    package var app: String?
    package var attempts: Int
    /// nil when it was delivered.
    package var error: String?

    package init(
        webhook: String, delivery: String, number: UInt64, event: DeviceEvent.Kind, app: String?, attempts: Int,
        error: String?
    ) {
        (self.webhook, self.delivery, self.number, self.event) = (webhook, delivery, number, event)
        (self.app, self.attempts, self.error) = (app, attempts, error)
    }

    var details: JSONObject {
        [
            "webhook": .string(webhook), "delivery": .string(delivery), "number": .integer(number),
            "event": .string(event.rawValue), "attempts": .integer(attempts),
            "outcome": .string(error == nil ? "delivered" : "failed"), "error": error.map { .string($0) },
        ]
    }
}
