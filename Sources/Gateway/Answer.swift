public import APNs

/// What a provider is told, and what its connection does next.
public struct Answer: Sendable {
    public var status: UInt16
    /// `apns-id`, when the provider sent none that could be echoed.
    public var apnsID: APNsID
    /// Where the provider's own `apns-id` lies in its request; echoed byte for byte.
    public var echo: FieldRange?
    /// `apns-unique-id`; the sandbox only.
    public var uniqueID: APNsID?
    /// JSON; empty on success.
    public var body: [UInt8]
    /// A new limit of concurrent streams to announce.
    public var streamLimit: UInt32?
    /// What must be on disk before this may be sent; `nil` when nothing must.
    public var pending: PendingPush?
    /// The number of its record; 0 while there is none.
    public var record: UInt64 = 0
    /// The rule that fired, and what else it does; `nil` as a rule.
    public var fault: FaultFiring?
}
