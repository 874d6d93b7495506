internal import APNs
internal import DeviceSimulator
internal import RequestWire
internal import Time

/// A recorded answer and the gateway's present one.
package struct ReplayedAnswer: Sendable {
    package var number: UInt64
    package var recorded: RecordedAnswer
    package var replayed: RecordedAnswer
    /// False if the answer depends on data that a recording lacks.
    package var isDecidedAgain: Bool
}

extension Gateway {
    /// Replays a recorded run on a new gateway. The clock stops at its end.
    @discardableResult
    package func replay(_ recording: Recording) throws(RecordingProblem) -> [ReplayedAnswer] {
        guard recording.hasPossibleNumbers else {
            throw RecordingProblem("its requests are not numbered one after another. Record the run again")
        }
        do {
            try simulator.load(recording.state)
        } catch {
            throw RecordingProblem("its state is wrong: \(error.message). Record the run again")
        }
        connectionLog.restore(recording.connections)
        var replay = RequestReplay(recording, on: self)
        for (index, input) in recording.inputs.enumerated() {
            replay.answerFirst(in: recording.inputs[index...])
            replay.answerRequests(before: input, index)
            do {
                try simulator.replay(input)
            } catch {
                throw RecordingProblem(
                    "'inputs[\(index)]' is impossible after those before it. Replay the file with the version that wrote "
                        + "it, \(recording.pushcote.version), or record the run again")
            }
        }
        replay.answerRequests(before: nil, .max)
        requestLog.restore(replay.records, clearedRequest: recording.clearedRequest)
        clock.show(recording.endedAt)
        // The recording contains the extensions' answers.
        _ = simulator.takeExtensionRequests()
        return replay.answers.sorted { $0.number < $1.number }
    }
}

extension Recording {
    /// A file has no checksum, and the request log continues from its numbers.
    fileprivate var hasPossibleNumbers: Bool {
        let numbers = requests.map(\.number)
        return (1...1 << 53).contains(numbers.first ?? 1) && (clearedRequest ?? 0) <= 1 << 53
            && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 &+ 1 }
    }
}

/// Answers recorded requests again, each in the state in which it arrived.
private struct RequestReplay {
    private let gateway: Gateway
    private let requests: [RecordedRequest]
    /// Indices of requests, by their notification.
    private var accepted: [UInt64: Int] = [:]
    /// Indices of the others, in order.
    private var others: ArraySlice<Int> = []
    private var pushes: [Int: (push: Push, registration: Registration)] = [:]
    /// Answers that were given before the inputs of their requests, by index.
    private var early: [Int: RecordedAnswer] = [:]
    private(set) var answers: [ReplayedAnswer] = []

    init(_ recording: Recording, on gateway: Gateway) {
        self.gateway = gateway
        requests = recording.requests
        for (index, request) in requests.enumerated() {
            if case .accepted(let number) = request.outcome { accepted[number] = index } else { others.append(index) }
        }
    }

    var records: [(number: UInt64, record: RequestRecord)] {
        requests.indices.map { (requests[$0].number, requests[$0].record(pushes[$0])) }
    }

    /// A push to an unknown token makes a device and registers the token: it is answered before that.
    mutating func answerFirst(in inputs: ArraySlice<RecordedInput>) {
        guard let (push, token, notification) = inputs.dropFirst(2).first?.push, push.connection > 0,
            inputs[inputs.startIndex].makesDevice(at: push.receivedAt),
            inputs[inputs.startIndex + 1].registers(token, at: push.receivedAt), let index = accepted[notification]
        else { return }
        early[index] = decided(
            requests[index], RequestBlock(fields: push.request.fields(token: token), body: push.payload))
    }

    mutating func answerRequests(before input: RecordedInput?, _ inputCount: Int) {
        while let index = others.first, requests[index].inputCount <= inputCount {
            others.removeFirst()
            guard case .refused(let request, _, _, _) = requests[index].outcome else { answer(index, nil); continue }
            answer(
                index,
                RequestBlock(
                    fields: request.request.fields(token: nil), body: request.request.payload,
                    bodyByteCount: request.payloadByteCount))
        }
        guard let (push, token, notification) = input?.push, let index = accepted[notification],
            let registration = gateway.simulator.registration(of: token)
        else { return }
        pushes[index] = (push, registration)
        answer(index, RequestBlock(fields: push.request.fields(token: token), body: push.payload))
    }

    private mutating func answer(_ index: Int, _ block: RequestBlock?) {
        let (request, spelling) = (requests[index], gateway.settings.spelling)
        var answer = ReplayedAnswer(
            number: request.number, recorded: request.answer,
            replayed: RecordedAnswer(request.record(pushes[index]), spelling), isDecidedAgain: false)
        if let block, let decided = early[index] ?? decided(request, block) {
            (answer.replayed, answer.isDecidedAgain) = (decided, true)
        }
        answers.append(answer)
    }

    /// nil if the recording does not determine it.
    private func decided(_ request: RecordedRequest, _ block: RequestBlock) -> RecordedAnswer? {
        let facts =
            request.connection == 0
            ? ConnectionFacts(openedAt: request.receivedAt)
            : gateway.connectionLog.snapshot(of: request.connection)?.facts
        guard let facts, request.isDecidedByInputs, !ChannelPath.isElsewhere(block) else { return nil }
        let connection = ProviderConnection(gateway: gateway, entry: ConnectionEntry(facts: facts), certificate: nil)
        guard connection.servesPushes else { return nil }
        let rejection = connection.rejection(of: block, at: request.receivedAt)
        return RecordedAnswer(status: rejection?.reason.status ?? 200, rejection, gateway.settings.spelling)
    }
}

extension RecordedRequest {
    /// Whether the recording determines its answer: credentials are not recorded, and a fault rule overrides everything.
    fileprivate var isDecidedByInputs: Bool {
        guard fault == nil, authentication != .certificate else { return false }
        switch outcome {
        case .accepted: return true
        case .served, .handledByFault, .oversized: return false
        case .refused(_, let reason, _, _):
            switch reason {
            case .duplicateHeaders, .topicDisallowed, .serviceUnavailable: return false
            case .badPath, .methodNotAllowed: return connection > 0
            default: return connection > 0 && authentication != .none
            }
        }
    }
}

extension ProviderConnection {
    /// Why a request with good credentials is rejected; nothing is registered or recorded.
    fileprivate func rejection(of request: borrowing RequestBlock, at now: Instant) -> APNsRejection? {
        var admission = Admission(now: now)
        admission.environment = environment(of: request)
        do throws(APNsRejection) {
            try admit(
                request, &admission, order: AdmissionCheck.order.filter { $0 != .authentication && $0 != .device })
            if let token = admission.token { _ = try knownRegistration(of: token, admission) }
            return nil
        } catch {
            return error
        }
    }
}
