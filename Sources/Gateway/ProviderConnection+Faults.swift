internal import APNs
internal import DeviceSimulator

extension ProviderConnection {
    /// What a rule does to a request that was judged and that nothing was done about yet.
    ///
    /// - Parameter rejection: Why the gateway would refuse it; `nil` when it would not.
    /// - Returns: `nil` when no rule fires.
    func faultyAnswer(
        _ request: borrowing ProviderRequest, _ admission: borrowing Admission, _ rejection: APNsRejection?
    ) -> Answer? {
        let facts = faultFacts(request, admission, rejection?.reason)
        guard let firing = gateway.faults.fire(.request, facts, at: admission.now) else { return nil }
        var answer: Answer
        if firing.takes(verdict: rejection?.reason) {
            answer = take(request, admission, firing)
        } else if let rejection {
            answer = refuse(request, admission, rejection, fault: FaultMark(firing, status: rejection.reason.status))
        } else {
            do throws(APNsRejection) {
                answer = try accept(request, admission, fault: FaultMark(firing, status: 200))
            } catch {
                return refuse(request, admission, error)
            }
        }
        if let told = firing.answer {
            answer.status = UInt16(told.status)
            answer.body = told.bytes(now: admission.now)
        }
        if let limit = firing.effect.streamLimit { answer.streamLimit = announce(UInt32(limit)) }
        answer.fault = firing
        return answer
    }

    /// Whether the connection is to go wrong before its first request.
    public func openingFault() -> FaultFiring? {
        guard gateway.faults.has(.open) else { return nil }
        var facts = FaultFacts()
        facts.connection = number
        return gateway.faults.fire(.open, facts, at: gateway.now())
    }

    /// Records a request that a rule took away.
    private func take(
        _ request: borrowing ProviderRequest, _ admission: borrowing Admission, _ firing: FaultFiring
    ) -> Answer {
        let ownID = admission.messageID ?? APNsID(of: request)
        let apnsID = ownID ?? identifiers.next()
        let taken = RequestRecord.Taken(
            request: PackedRequest(packing: request, token: nil), apnsID: apnsID,
            payloadByteCount: request.bodyByteCount)
        record(.taken(taken), of: admission, FaultMark(firing, status: firing.answer.map { UInt16($0.status) }))
        return Answer(
            status: 0, apnsID: apnsID, echo: ownID == nil ? nil : request.head[.apnsID],
            uniqueID: admission.environment == .sandbox ? identifiers.next() : nil, body: [], streamLimit: nil)
    }

    private func faultFacts(
        _ request: borrowing ProviderRequest, _ admission: borrowing Admission, _ reason: APNsReason?
    ) -> FaultFacts {
        let token = admission.token ?? Self.token(of: request)
        let registration = admission.registration ?? token.flatMap { gateway.simulator.registration(of: $0) }
        var facts = FaultFacts()
        facts.connection = number
        facts.token = token?.hex
        facts.device = registration?.device
        facts.topic = admission.topic.isEmpty ? request.value(of: .apnsTopic) : admission.topic
        facts.pushType = request.value(of: .apnsPushType)
        facts.keyID = admission.verified?.keyID ?? keyID(of: request)
        facts.reason = reason
        facts.earlierReasons = earlierReasons
        facts.longestPause = longestPause
        facts.headers = Self.fields(of: request)
        return facts
    }

    private static func fields(of request: borrowing ProviderRequest) -> [(name: String, value: String)] {
        let bytes = request.fields
        var fields: [(name: String, value: String)] = []
        request.forEachField { _, name, value in
            fields.append((String(decoding: bytes[name], as: UTF8.self), String(decoding: bytes[value], as: UTF8.self)))
        }
        return fields
    }

    /// The token in the path of a request that was refused before its turn came.
    private static func token(of request: borrowing ProviderRequest) -> DeviceToken? {
        guard let range = try? PathRules.tokenRange(request) else { return nil }
        return DeviceToken(hex: request.fields.span.bytes.extracting(range))
    }

    /// `kid` as it is written, of a provider token that was not believed.
    private func keyID(of request: borrowing ProviderRequest) -> String? {
        guard let range = request.head[.authorization]?.bounds else { return nil }
        let header = request.fields.span.bytes.extracting(range)
        guard let token = try? ProviderToken.bearer(header) else { return nil }
        return try? ProviderToken(header.extracting(token), leniency: settings.leniency).keyID
    }
}
