/// A push that APNs accepted. The request log and the device's inbox share one object.
package final class Push: Sendable {
    /// What the provider sent.
    package let request: PackedRequest
    /// The answer's `apns-id`. A client's own spelling stays in `request`.
    package let apnsID: APNsID
    /// The answer's `apns-unique-id`; sent in the sandbox only.
    package let uniqueID: APNsID
    package let expiration: Expiration
    package let receivedAt: Instant
    /// The number of the provider's connection; 0 for a push that came through the admin API.
    package let connection: UInt32
    /// `nil` when the header was absent.
    package let pushType: PushType?
    package let priority: Priority
    package let environment: APNsEnvironment

    package init(
        request: PackedRequest, apnsID: APNsID, uniqueID: APNsID, environment: APNsEnvironment, pushType: PushType?,
        priority: Priority, expiration: Expiration, receivedAt: Instant, connection: UInt32
    ) {
        self.request = request
        self.apnsID = apnsID
        self.uniqueID = uniqueID
        self.expiration = expiration
        self.receivedAt = receivedAt
        self.connection = connection
        self.pushType = pushType
        self.priority = priority
        self.environment = environment
    }

    /// The payload as received, which may be no JSON at all.
    package var payload: [UInt8] { request.payload }

    /// `apns-topic`; `nil` when a certificate stood in for it.
    package var topic: String? { request.value(of: .apnsTopic) }

    /// `apns-collapse-id`.
    package var collapseID: String? { request.value(of: .apnsCollapseID) }

    /// The `apns-id` as the provider got it back: its own spelling, or upper case when the gateway made it.
    package var apnsIDText: String { request.value(of: .apnsID) ?? apnsID.text(.upper) }
}
