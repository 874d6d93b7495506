package import DeviceModel
internal import JSON

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
