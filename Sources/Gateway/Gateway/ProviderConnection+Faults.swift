internal import APNs
internal import DeviceSimulator
internal import RequestWire
internal import Time

extension ProviderConnection {
    /// Applies the first rule that fires; `nil` when none does.
    /// - Parameters:
    ///   - rejection: `nil` when the gateway would accept the request.
    ///   - wasOffered: Whether it has been called for this request before, without a rejection.
    func faultyAnswer(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ rejection: APNsRejection?,
        wasOffered: Bool = false
    ) -> Answer? {
        var facts = faultFacts(request, admission, rejection?.reason)
        facts.wasOffered = wasOffered
        guard let firing = gateway.fireFault(.request, facts, at: admission.now) else { return nil }
        if firing.effect.goAway != nil || firing.effect.connection != nil { recordFault(firing.rule, on: .request) }
        var rejection = rejection
        if firing.effect.expiresToken, let token = admission.verified {
            // What a later check found does not matter.
            if rejection == nil || admission.authentication != .none { rejection = gateway.faults.expired }
            expire(token, firing, at: admission.now)
        }
        let now = admission.now
        var answer: Answer
        if firing.handlesRequest(verdict: rejection?.reason) {
            let status = firing.answer.map { UInt16($0.code) }
            answer = refuse(request, admission, nil, fault: FaultMark(firing, status: status, at: now))
        } else if let rejection {
            answer = refuse(
                request, admission, rejection, fault: FaultMark(firing, status: rejection.reason.status, at: now))
        } else {
            if let fault = firing.effect.device, let registration = admission.registration {
                gateway.apply(fault, to: registration, at: now)
            }
            do throws(APNsRejection) {
                answer = try accept(request, admission, fault: FaultMark(firing, status: 200, at: now))
            } catch {
                return refuse(request, admission, error)
            }
        }
        if let faulty = firing.answer {
            answer.status = UInt16(faulty.code)
            answer.body = faulty.bytes(now: admission.now)
        }
        if let limit = firing.effect.streamLimit { answer.streamLimit = announce(UInt32(limit)) ?? answer.streamLimit }
        answer.fault = firing
        return answer
    }

    package func openingFault() -> FaultFiring? {
        guard gateway.faults.has(.open) else { return nil }
        var facts = FaultFacts()
        facts.connection = number
        guard let firing = gateway.fireFault(.open, facts, at: gateway.now()) else { return nil }
        recordFault(firing.rule, on: .open)
        return firing
    }

    /// Expires a token, so that its replacement does not count as a token update.
    private func expire(_ token: VerifiedToken, _ firing: FaultFiring, at now: Instant) {
        gateway.faults.expire(token, by: firing.rule, at: now)
        forgetUpdates()
        gateway.authenticator.resetUpdates(of: token.keyID)
    }

    private func faultFacts(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ reason: APNsReason?
    ) -> FaultFacts {
        var facts = facts(of: request, token: admission.token ?? Self.token(of: request))
        if let registration = admission.registration { facts.device = registration.device }
        if !admission.topic.isEmpty { facts.topic = admission.topic }
        if let verified = admission.verified { (facts.keyID, facts.verified) = (verified.keyID, verified) }
        facts.reason = reason
        facts.earlierReasons = earlierReasons
        facts.longestPause = longestPause
        return facts
    }

    func facts(of request: borrowing RequestBlock, token: DeviceToken?) -> FaultFacts {
        var facts = FaultFacts()
        facts.connection = number
        facts.token = token?.hex
        facts.device = token.flatMap { gateway.simulator.registration(of: $0) }?.device
        facts.topic = request.value(of: .apnsTopic)
        facts.pushType = request.value(of: .apnsPushType)
        facts.keyID = keyID(of: request)
        facts.headers = request.fields
        facts.payload = request.body
        return facts
    }

    static func token(of request: borrowing RequestBlock) -> DeviceToken? {
        guard let range = try? PathRules.tokenRange(request) else { return nil }
        return DeviceToken(hex: request.bytes.span.bytes.extracting(range))
    }

    private func keyID(of request: borrowing RequestBlock) -> String? {
        guard let range = request[.authorization]?.bounds else { return nil }
        let header = request.bytes.span.bytes.extracting(range)
        guard let token = try? ProviderToken.bearer(header) else { return nil }
        return (try? ProviderToken(header.extracting(token), leniency: settings.leniency))?.keyID
    }
}
