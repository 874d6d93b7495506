internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Time

/// The results of a request's checks so far.
struct Admission: ~Copyable {
    let now: Instant
    var environment = APNsEnvironment.sandbox
    var tokenRange: Range<Int> = 0..<0
    var authentication = RequestRecord.Authentication.none
    /// Set once the signature is accepted; the token's age and use may still be rejected.
    var verified: VerifiedToken?
    var topic = ""
    var messageID: APNsID?
    var expiration = Expiration.unspecified
    var priority = Priority.immediate
    var pushType: PushType?
    var token: DeviceToken?
    var registration: Registration?
    /// nil for a push to a device.
    var channel: ChannelRequest?

    init(now: Instant) { self.now = now }
}

/// Caches results for consecutive requests on a connection: comparing bytes costs less than parsing and checking again.
/// A class, because a structure in a connection is copied, and its accesses are checked, many times per push.
final class RequestMemo {
    /// The last accepted `authorization` value.
    var authorization: [UInt8] = []
    var verified: VerifiedToken?
    var authority: [UInt8] = []
    var environment: APNsEnvironment?
    /// The last accepted topic; empty before the first.
    private(set) var topicBytes: [UInt8] = []
    private(set) var topic = ""
    /// The push of the cached digest: providers send one payload to many devices.
    private var digested: Push?
    private var digest = PayloadDigest(RawSpan())
    /// A bit set, by raw value, of push types allowed for the topic.
    private var fittingTypes: UInt32 = 0

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
