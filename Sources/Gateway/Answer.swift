package import APNs
package import Wire

/// The answer to a request, and what its connection does next.
package struct Answer: Sendable {
    package var status: UInt16
    /// `apns-id`, when the provider sent none that could be echoed.
    package var apnsID: APNsID
    /// Where the provider's own `apns-id` lies in its request; echoed byte for byte.
    package var echo: FieldRange?
    /// `apns-unique-id`; the sandbox only.
    package var uniqueID: APNsID?
    /// JSON; empty on success.
    package var body: [UInt8]
    /// A new limit of concurrent streams to announce.
    package var streamLimit: UInt32?
    /// The push that must be on disk before this may be sent.
    package var pending: PendingPush?
    /// The number of its record; 0 while there is none.
    package var record: UInt64 = 0
    package var fault: FaultFiring?
}
