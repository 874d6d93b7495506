internal import APNs
internal import DeviceSimulator
package import Wire

extension ProviderConnection {
    /// Applies the first rule that fires; `nil` when none does.
    /// - Parameter rejection: `nil` when the gateway would accept the request.
    func faultyAnswer(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ rejection: APNsRejection?
    ) -> Answer? {
        let facts = faultFacts(request, admission, rejection?.reason)
        guard let firing = gateway.faults.fire(.request, facts, at: admission.now) else { return nil }
        if firing.effect.goAway != nil || firing.effect.connection != nil { met(firing.rule, on: .request) }
        var rejection = rejection
        if firing.effect.expiresToken, let token = admission.verified {
            rejection = rejection ?? gateway.faults.expired
            expire(token, firing, at: admission.now)
        }
        let now = admission.now
        var answer: Answer
        if firing.takes(verdict: rejection?.reason) {
            answer = take(request, admission, firing)
        } else if let rejection {
            answer = refuse(
                request, admission, rejection, fault: FaultMark(firing, status: rejection.reason.status, at: now))
        } else {
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
        guard let firing = gateway.faults.fire(.open, facts, at: gateway.now()) else { return nil }
        met(firing.rule, on: .open)
        return firing
    }

    package func met(_ rule: String, on stage: FaultRule.Stage) {
        entry.add(fault: .init(rule: rule, stage: stage, at: gateway.now()))
    }

    package func sent(goAway code: UInt32, lastStream: Int32, debugData: [UInt8]) {
        let text = String(decoding: debugData.prefix(ConnectionEntry.keptDebugByteCount), as: UTF8.self)
        entry.add(goAway: .init(code: code, lastStream: lastStream, debugData: text, at: gateway.now()))
    }

    package func ended(_ ending: ConnectionEnding, limit: String?) { entry.end(ending, limit: limit) }

    /// Expires a token, so that its replacement does not count as a token update.
    private func expire(_ token: VerifiedToken, _ firing: FaultFiring, at now: Instant) {
        gateway.faults.expire(token, by: firing.rule, at: now)
        updates = TokenUpdates()
        gateway.authenticator.forgetUpdates(of: token.keyID)
    }

    private func take(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ firing: FaultFiring
    ) -> Answer {
        let ownID = admission.messageID ?? APNsID(of: request)
        let apnsID = ownID ?? identifiers.nextID()
        let taken = RequestRecord.Taken(
            request: PackedRequest(packing: request, token: nil), apnsID: apnsID,
            payloadByteCount: request.bodyByteCount)
        let mark = FaultMark(firing, status: firing.answer.map { UInt16($0.code) }, at: admission.now)
        let record = record(.taken(taken), of: admission, mark)
        return Answer(
            status: 0, apnsID: apnsID, echo: ownID == nil ? nil : request[.apnsID],
            uniqueID: admission.environment == .sandbox ? identifiers.nextID() : nil, body: [], streamLimit: nil,
            record: record)
    }

    private func faultFacts(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ reason: APNsReason?
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
        facts.headers = request.fields
        return facts
    }

    private static func token(of request: borrowing RequestBlock) -> DeviceToken? {
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
