internal import Gateway
internal import HTTP2Engine
internal import HTTP2Server

/// What a connection does instead of, or beside, an answer because a fault rule fired.
extension ProviderDelegate {
    /// Does what a rule asks for after a request.
    func carryOut(_ fault: FaultFiring, _ request: borrowing JudgedRequest) {
        let response = fault.isAnswered ? framed(request, fault) : nil
        let (limit, responder) = (request.answer.streamLimit, request.responder)
        let act = { Self.act(fault, response, limit: limit, responder) }
        guard fault.delay > .zero else { return act() }
        responder.schedule(after: fault.delay, act)
    }

    /// Does what a rule asks for before the first request.
    func carryOut(_ fault: FaultFiring, _ responder: Responder) {
        if let limit = fault.effect.streamLimit, let announced = connection.announce(UInt32(limit)) {
            responder.setStreamLimit(announced)
        }
        if let goAway = fault.effect.goAway { responder.send(GoAwayNotice(goAway)) }
        if let end = fault.effect.connection { responder.end(ConnectionEnd(end.how)) }
    }

    /// The answer in as many DATA frames as the rule says.
    private func framed(_ request: borrowing JudgedRequest, _ fault: FaultFiring) -> Response {
        var response = Response(status: request.answer.status)
        write(request, to: &response)
        guard let frames = fault.answer?.bodyFrames, frames > 1, response.body.count > 1 else { return response }
        response.frameByteCount = (response.body.count + frames - 1) / frames
        return response
    }

    private static func act(_ fault: FaultFiring, _ response: Response?, limit: UInt32?, _ responder: Responder) {
        let effect = fault.effect
        if let response {
            if let pause = effect.trickle {
                responder.respond(response, every: pause)
            } else {
                responder.respond(response)
            }
        } else if let code = effect.resets {
            responder.reset(HTTP2ErrorCode(code))
        } else {
            responder.abandon()
        }
        if let limit { responder.setStreamLimit(limit) }
        if let goAway = effect.goAway { responder.send(GoAwayNotice(goAway)) }
        if let end = effect.connection { responder.end(ConnectionEnd(end.how)) }
    }
}

extension GoAwayNotice {
    fileprivate init(_ goAway: FaultGoAway) {
        self.init(
            code: HTTP2ErrorCode(goAway.code), lastStream: goAway.lastStream.map { Int32(clamping: $0) },
            unprocessed: goAway.unprocessed,
            debugData: [goAway.bytes] + Array(repeating: [], count: goAway.times - 1), closes: goAway.closes)
    }
}

extension HTTP2ErrorCode {
    fileprivate init(_ code: FaultErrorCode) { self = HTTP2ErrorCode(rawValue: code.number) ?? .noError }
}

extension ConnectionEnd {
    fileprivate init(_ kind: FaultConnectionEnd.Kind) {
        self =
            switch kind {
            case .reset: .reset
            case .close: .close
            case .silence: .silence
            }
    }
}

extension AcceptFault {
    /// What a rule does to a client that has just connected.
    init(_ fault: FaultFiring) {
        let end = fault.effect.connection.map { Refusal.end(ConnectionEnd($0.how)) }
        self.init(delay: fault.delay, refusal: fault.effect.failsTLS ? .alert : end)
    }
}
