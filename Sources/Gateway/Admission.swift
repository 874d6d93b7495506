internal import APNs
internal import DeviceModel
internal import DeviceSimulator

/// What is known of a request while its checks go on.
struct Admission: ~Copyable {
    let now: Instant
    var environment = APNsEnvironment.sandbox
    var tokenRange: Range<Int> = 0..<0
    var authentication = RequestRecord.Authentication.none
    /// The provider token, if its signature was accepted; its age and use may still be refused.
    var verified: VerifiedToken?
    var topic = ""
    var messageID: APNsID?
    var expiration = Expiration.unspecified
    var priority = Priority.immediate
    var pushType: PushType?
    var token: DeviceToken?
    var registration: Registration?

    init(now: Instant) { self.now = now }
}

/// What consecutive requests of a connection have in common. Comparing bytes costs less than judging them again.
///
/// A class: a structure in a connection would be copied, and its accesses checked, many times for each push.
final class RequestMemo {
    /// The last accepted value of `authorization`, and what it proved.
    var authorization: [UInt8] = []
    var verified: VerifiedToken?
    /// The last `:authority`, and where it leads.
    var authority: [UInt8] = []
    var environment: APNsEnvironment?
    /// The last topic that passed, as bytes and as text; empty before the first.
    private(set) var topicBytes: [UInt8] = []
    private(set) var topic = ""
    /// The last push, and what its payload says: providers send one payload to many devices.
    private var digested: Push?
    private var digest = PayloadDigest(RawSpan())
    /// Push types that were found to be allowed for the topic, by raw value.
    private var fittingTypes: UInt32 = 0

    /// What a push's payload says.
    func digest(of push: Push) -> PayloadDigest {
        if let digested, push.hasPayload(of: digested) { return digest }
        let digest = push.withPayload { PayloadDigest($0) }
        self.digest = digest
        digested = push
        return digest
    }

    func remember(topic: String, bytes: [UInt8]) {
        topicBytes = bytes
        self.topic = topic
        fittingTypes = 0
    }

    func isFitting(_ type: PushType) -> Bool { fittingTypes & (1 << UInt32(type.rawValue)) != 0 }

    func remember(fitting type: PushType) { fittingTypes |= 1 << UInt32(type.rawValue) }
}
