internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import JSON
internal import RequestWire
internal import Time

extension ProviderConnection {
    func admit(
        _ request: borrowing RequestBlock, _ admission: inout Admission,
        order: [AdmissionCheck] = AdmissionCheck.order
    ) throws(APNsRejection) {
        for check in order { try perform(check, request, &admission) }
    }

    private func perform(
        _ check: AdmissionCheck, _ request: borrowing RequestBlock, _ admission: inout Admission
    ) throws(APNsRejection) {
        switch check {
        case .duplicateHeaders: try HeaderRules.checkDuplicates(request)
        case .path: admission.tokenRange = try PathRules.tokenRange(request)
        case .method: try PathRules.checkMethod(request)
        case .authentication: try authenticate(request, &admission)
        case .topic: admission.topic = try topic(request, admission)
        case .messageID: admission.messageID = try HeaderRules.messageID(request)
        case .expiration: admission.expiration = try HeaderRules.expiration(request)
        case .priority: admission.priority = try HeaderRules.priority(request)
        case .pushType: admission.pushType = try pushType(request, admission)
        case .collapseID: try HeaderRules.checkCollapseID(request)
        case .deviceToken: admission.token = try PathRules.deviceToken(request, at: admission.tokenRange)
        case .payload: try checkPayload(request, admission)
        case .device: admission.registration = try registration(admission)
        }
    }

    func environment(of request: borrowing RequestBlock) -> APNsEnvironment {
        let range = (request[.authority] ?? request[.host])?.bounds ?? 0..<0
        if let known = memo.environment, request.bytes.span.bytes.extracting(range).equals(memo.authority) {
            return known
        }
        let environment = environment(authority: String(decoding: request.bytes[range], as: UTF8.self))
        memo.authority = Array(request.bytes[range])
        memo.environment = environment
        return environment
    }

    private func topic(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission
    ) throws(APNsRejection) -> String {
        guard let range = request[.apnsTopic]?.bounds else { return try impliedTopic() }
        let header = request.bytes.span.bytes.extracting(range)
        if !memo.topicBytes.isEmpty, header.equals(memo.topicBytes) {
            if let verified = admission.verified, verified.isTopicSpecific { try verified.key?.checkTopic(memo.topic) }
            return memo.topic
        }
        try TopicRules.checkForm(header)
        let bytes = Array(request.bytes[range])
        let topic = String(decoding: bytes, as: UTF8.self)
        try admission.verified?.key?.checkTopic(topic)
        if let certificate, asksForCredentials { _ = try certificate.topic(header: topic) }
        memo.remember(topic: topic, bytes: bytes)
        return topic
    }

    private func impliedTopic() throws(APNsRejection) -> String {
        guard let certificate else {
            throw APNsRejection(
                .missingTopic, "apns-topic.missing", "apns-topic is missing; send the app's bundle identifier.")
        }
        let topic = try certificate.topic(header: nil)
        if topic != memo.topic { memo.remember(topic: topic, bytes: Array(topic.utf8)) }
        return topic
    }

    private func pushType(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission
    ) throws(APNsRejection) -> PushType? {
        guard let range = request[.apnsPushType] else { return nil }
        if let known = PushType(request.bytes.span.bytes.extracting(range.bounds)), memo.isFitting(known) {
            return try checkBackgroundPriority(known, admission)
        }
        let topicBytes = memo.topicBytes
        let type: PushType?
        do throws(APNsRejection) {
            type = try TopicRules.pushType(
                request, topic: topicBytes.span.bytes, mismatch: settings.pushTypeMismatch)
        } catch {
            try checkIssuedTopic(request, admission, error)
            throw error
        }
        guard let type else { return nil }
        if type == .mdm, certificate == nil, asksForCredentials {
            throw APNsRejection(
                .topicDisallowed, "apns-push-type.mdm",
                "MDM pushes need the MDM vendor's certificate; tokens are not accepted for them.")
        }
        memo.remember(fitting: type)
        return try checkBackgroundPriority(type, admission)
    }

    /// Developers who leave out the suffix for a token that needs it report `DeviceTokenNotForTopic` (Apple's developer
    /// forums, threads 712499 and 791676).
    private func checkIssuedTopic(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ rejection: APNsRejection
    ) throws(APNsRejection) {
        guard rejection.diagnosis.code == TopicRules.missingSuffix,
            let token = try? PathRules.deviceToken(request, at: admission.tokenRange),
            let known = gateway.simulator.registration(of: token)
        else { return }
        try DeviceRules.check(
            .active, issued: (known.topic, known.environment), topic: admission.topic,
            environment: admission.environment)
    }

    /// Apple calls priority 10 an error for background pushes; whether APNs rejects it is unknown.
    private func checkBackgroundPriority(
        _ type: PushType, _ admission: borrowing Admission
    ) throws(APNsRejection) -> PushType {
        guard settings.refusesBackgroundPriority10, type == .background, admission.priority == .immediate else {
            return type
        }
        throw APNsRejection(
            .badPriority, "apns-priority.background",
            "A background push must have apns-priority 5; the default without the header is 10.")
    }

    private func checkPayload(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission
    ) throws(APNsRejection) {
        try PayloadRules.checkSize(
            byteCount: request.bodyByteCount, pushType: admission.pushType, topic: admission.topic)
        guard settings.refusesMalformedPayload else { return }
        let scan = PayloadScan(request.body.span.bytes)
        guard let reason = scan.discardReason else { return }
        let problem =
            switch (scan, reason) {
            case (.invalid(let problem), _): "The payload is \(problem.message)"
            case (_, .apsNotAnObject): "The payload's aps is not an object"
            default: "The payload is JSON, but not an object"
            }
        throw APNsRejection(
            .malformedPayload, "payload.malformed",
            "\(problem). APNs would answer 200 and the device would discard the push; strict.payload rejects it here.")
    }

    private func registration(_ admission: borrowing Admission) throws(APNsRejection) -> Registration {
        guard let token = admission.token else { throw DeviceRules.unknown }
        if let known = try knownRegistration(of: token, admission) { return known }
        do {
            return try gateway.simulator.registerUnknown(
                token, topic: admission.topic, environment: admission.environment,
                kind: admission.pushType?.tokenKind ?? TokenKind(topic: admission.topic), at: admission.now)
        } catch {
            throw APNsRejection(unableToRegister: error)
        }
    }

    /// The token's registration, checked; nil for a token that a push registers. Registers nothing.
    func knownRegistration(
        of token: DeviceToken, _ admission: borrowing Admission
    ) throws(APNsRejection) -> Registration? {
        if let known = gateway.simulator.registration(of: token) {
            do throws(APNsRejection) {
                try DeviceRules.check(
                    reportedStatus(of: known, at: admission.now), issued: (known.topic, known.environment),
                    topic: admission.topic, environment: admission.environment)
            } catch {
                throw error.naming(gateway.simulator.endOfActivity(of: known))
            }
            return known
        }
        if settings.answersMagicTokens, let rejection = MagicTokens.rejection(of: token, at: admission.now) {
            throw rejection
        }
        guard settings.unknownTokens == .register else { throw DeviceRules.unknown }
        return nil
    }

    /// APNs learns only after `unregisteredDelay` that a token is unregistered.
    private func reportedStatus(of known: Registration, at now: Instant) -> RegistrationStatus {
        guard case .unregistered(let since) = known.status else { return known.status }
        let delay = gateway.simulator.assumptions.unregisteredDelay
        // Without a delay, the device would not discard the push.
        return delay > 0 && now < since.advanced(by: delay) ? .active : known.status
    }
}

extension APNsRejection {
    /// - Parameter cause: What ended the token; nil if it is not known.
    fileprivate func naming(_ cause: String?) -> Self {
        guard reason.status == 410, let cause else { return self }
        var rejection = self
        rejection.diagnosis.message = cause
        return rejection
    }

    /// The rejection of a push that needs a new device when no more are allowed.
    init(unableToRegister error: SimulatorError) {
        if case .journalUnwritable(let reason) = error {
            self.init(unstored: reason)
            return
        }
        self.init(.serviceUnavailable, "devices.full", "The push needs a new device, but \(error.message).")
    }
}

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
