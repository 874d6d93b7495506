package import Gateway
internal import HTTP2Engine
package import ProviderServer

extension ProviderDelegate {
    func carryOut(_ fault: FaultFiring, _ request: borrowing AnsweredRequest) {
        let response = fault.isAnswered ? framed(request, fault) : nil
        let (answer, responder) = (request.answer, request.responder)
        guard fault.delay > .zero else {
            if response != nil, !responder.isOpen { recordLoss(of: answer.record, responder) }
            noteWithheld(answer.record, by: fault, responder)
            return act(fault, response, limit: answer.streamLimit, responder)
        }
        guard responder.isOpen else {
            if let limit = answer.streamLimit { responder.setStreamLimit(limit) }
            return recordLoss(of: answer.record, responder)
        }
        delayedRecords[responder.stream] = answer.record
        responder.schedule(after: fault.delay) { [self] in
            recordFate(of: fault, responder)
            act(fault, response, limit: answer.streamLimit, responder)
        }
    }

    /// Records the fate of a delayed answer before sending it, so that a client that received it finds it recorded.
    private func recordFate(of fault: FaultFiring, _ responder: Responder) {
        guard let record = delayedRecords.removeValue(forKey: responder.stream) else { return }
        if !fault.isAnswered {
            connection.record(fault.fate, for: record)
            noteWithheld(record, by: fault, responder)
        } else if responder.isOpen {
            connection.record(.sent, for: record)
        } else {
            recordLoss(of: record, responder)
        }
    }

    private func noteWithheld(_ record: UInt64, by fault: FaultFiring, _ responder: Responder) {
        if !fault.isAnswered, fault.fate == .withheld, responder.isOpen { withheldRecords[responder.stream] = record }
    }

    func recordLoss(of record: UInt64, _ responder: Responder) {
        connection.record(responder.isConnected ? .cancelled : .connectionLost, for: record)
    }

    func carryOut(_ fault: FaultFiring, _ responder: Responder) {
        let limit = fault.effect.streamLimit.flatMap { connection.announce(UInt32($0)) }
        changeConnection(fault.effect, limit: limit, responder)
        end(fault.effect, responder)
    }

    private func framed(_ request: borrowing AnsweredRequest, _ fault: FaultFiring) -> Response {
        var response = Response(status: request.answer.status)
        write(request, to: &response)
        guard let frames = fault.answer?.bodyFrames, frames > 1, response.body.count > 1 else { return response }
        response.frameByteCount = (response.body.count + frames - 1) / frames
        return response
    }

    private func act(_ fault: FaultFiring, _ response: Response?, limit: UInt32?, _ responder: Responder) {
        let effect = fault.effect
        if let response, let pause = effect.trickle {
            responder.respond(response, every: pause) { [self] in end(effect, responder) }
            return changeConnection(effect, limit: limit, responder)
        }
        if let response {
            responder.respond(response)
        } else if let code = effect.resets {
            responder.reset(code)
            if let second = effect.thenResets { responder.resetAgain(second) }
        } else {
            responder.abandon()
        }
        changeConnection(effect, limit: limit, responder)
        end(effect, responder)
    }

    private func end(_ effect: FaultEffect, _ responder: Responder) {
        if let end = effect.connection { responder.end(end.how) }
    }

    private func changeConnection(_ effect: FaultEffect, limit: UInt32?, _ responder: Responder) {
        if let limit { responder.setStreamLimit(limit) }
        if let window = effect.window { responder.setInitialWindow(UInt32(window)) }
        if let scope = effect.starves { responder.starve(scope) }
        if let churn = effect.churn { change(churn, 0, responder) }
        if let goAway = effect.goAway { responder.send(GoAwayNotice(goAway)) }
    }
}

extension ProviderDelegate {
    private func change(_ churn: FaultChurn, _ step: Int, _ responder: Responder) {
        guard responder.isConnected else { return }
        if let limit = churn.streamLimit(step).flatMap(connection.announce) { responder.setStreamLimit(limit) }
        if let window = churn.window(step) { responder.setInitialWindow(window) }
        guard step + 1 < churn.times else { return }
        responder.schedule(after: churn.every) { [self] in change(churn, step + 1, responder) }
    }
}

extension GoAwayNotice {
    fileprivate init(_ goAway: FaultGoAway) {
        self.init(
            code: goAway.code, lastStream: goAway.lastStream.map { Int32(clamping: $0) },
            unprocessed: goAway.unprocessed,
            debugData: [goAway.bytes] + Array(repeating: [], count: goAway.times - 1), closes: goAway.closes)
        isGraceful = goAway.graceful
        idle = goAway.idle
    }
}

extension AcceptFault {
    package init(_ fault: FaultFiring) {
        let end = fault.effect.connection.map { Refusal.end($0.how) }
        self.init(rule: fault.rule, delay: fault.delay, refusal: fault.effect.failsTLS ? .alert : end)
    }
}
