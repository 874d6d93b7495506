internal import APNs
internal import DeviceSimulator

/// What was found out about a header block that was accepted: a request with the same one need not be asked again.
final class AcceptedHeaders {
    let template: HeaderTemplate
    let environment: APNsEnvironment
    private let tokenRange: Range<Int>
    private let topic: String
    let expiration: Expiration
    let priority: Priority
    let pushType: PushType?
    let authentication: RequestRecord.Authentication
    let verified: VerifiedToken?
    /// The `apns-id`, and where it lies.
    let messageID: APNsID?
    let echo: FieldRange?
    let registration: Registration
    /// How long a payload certainly may be.
    let payloadByteCounts: ClosedRange<Int>
    /// The recorded form of a request with this very header block, without its payload.
    let packed: PackedRequest
    /// When the token's age was right.
    var foundGoodAt: Instant?
    /// The block that was found to be the same one last.
    private var latest: [UInt8] = []

    /// The checks whose outcome does not follow from the header block alone: they look at the clock, at a value that
    /// differs between requests, at the payload or at the device.
    static let openChecks = AdmissionCheck.order.filter { check in
        switch check {
        case .authentication, .messageID, .deviceToken, .payload, .device: true
        case .duplicateHeaders, .path, .method, .topic, .expiration, .priority, .pushType, .collapseID: false
        }
    }

    /// - Parameter packed: The request as it was recorded.
    /// - Returns: `nil` when the request cannot be a template.
    init?(_ request: borrowing ProviderRequest, _ admission: borrowing Admission, packed: PackedRequest) {
        guard let template = HeaderTemplate(request, tokenRange: admission.tokenRange, packed: packed),
            let registration = admission.registration
        else { return nil }
        self.packed = PackedRequest(packing: [], same: packed)
        payloadByteCounts = 1...(admission.pushType ?? .alert).maximumPayloadByteCount
        self.registration = registration
        authentication = admission.authentication
        verified = admission.verified
        echo = admission.messageID == nil ? nil : request.head[.apnsID]
        self.template = template
        environment = admission.environment
        tokenRange = admission.tokenRange
        topic = admission.topic
        expiration = admission.expiration
        priority = admission.priority
        pushType = admission.pushType
        messageID = admission.messageID
    }

    /// Whether a header block is this very one. Connections mostly give the same bytes again, not equal ones.
    func isSame(_ fields: [UInt8]) -> Bool {
        if fields.isIdentical(to: latest) { return true }
        guard template.isSame(fields) else { return false }
        latest = fields
        return true
    }

    /// What is known of a request with a header block that is alike.
    func admission(now: Instant) -> Admission {
        var admission = Admission(now: now)
        admission.template = template
        admission.environment = environment
        admission.tokenRange = tokenRange
        admission.topic = topic
        admission.expiration = expiration
        admission.priority = priority
        admission.pushType = pushType
        return admission
    }
}
