internal import APNs

/// What was found out about a header block that was accepted: a request with the same one need not be asked again.
final class AcceptedHeaders {
    let template: HeaderTemplate
    private let environment: APNsEnvironment
    private let tokenRange: Range<Int>
    private let topic: String
    private let expiration: Expiration
    private let priority: Priority
    private let pushType: PushType?

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
        guard let template = HeaderTemplate(request, tokenRange: admission.tokenRange, packed: packed) else {
            return nil
        }
        self.template = template
        environment = admission.environment
        tokenRange = admission.tokenRange
        topic = admission.topic
        expiration = admission.expiration
        priority = admission.priority
        pushType = admission.pushType
    }

    /// What is known of a request with this header block.
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
