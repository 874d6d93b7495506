/// A push that APNs accepted. The request log and the device's inbox share one object.
public final class Push: Sendable {
    /// What the provider sent.
    public let request: PackedRequest
    /// The answer's `apns-id`. A client's own spelling stays in `request`.
    public let apnsID: APNsID
    /// The answer's `apns-unique-id`; sent in the sandbox only.
    public let uniqueID: APNsID
    public let expiration: Expiration
    public let receivedAt: Instant
    /// The number of the provider's connection; 0 for a push that came through the admin API.
    public let connection: UInt32
    /// `nil` when the header was absent.
    public let pushType: PushType?
    public let priority: Priority
    public let environment: APNsEnvironment

    public init(
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
    public var payload: [UInt8] { request.payload }

    /// `apns-topic`; `nil` when a certificate stood in for it.
    public var topic: String? { request.value(of: .apnsTopic) }

    /// `apns-collapse-id`.
    public var collapseID: String? { request.value(of: .apnsCollapseID) }

    /// The `apns-id` as the provider got it back: its own spelling, or upper case when the gateway made it.
    public var apnsIDText: String { request.value(of: .apnsID) ?? apnsID.text(.upper) }
}
