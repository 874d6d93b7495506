internal import APNs
package import DeviceSimulator
internal import JSON
internal import Wire

/// What a replay found out about the recorded answers.
package struct ReplayedAnswers: Sendable {
    /// Requests that are answered otherwise now, in order.
    package var differing: [(number: UInt64, recorded: RecordedAnswer, replayed: RecordedAnswer)] = []
    package var comparedCount = 0
}

extension Gateway {
    /// Repeats a recorded run on a gateway that has seen nothing: its inputs, its requests, its connections. The clock stops
    /// at the end.
    /// - Throws: `RecordingProblem` for an input that is impossible.
    @discardableResult
    package func replay(_ recording: Recording) throws(RecordingProblem) -> ReplayedAnswers {
        try restore(recording.state)
        connectionLog.restore(recording.connections)
        var replay = RunReplay(recording, on: self)
        for (index, input) in recording.inputs.enumerated() {
            replay.answerRequests(after: index)
            replay.answerRequest(for: input)
            do {
                try simulator.replay(input)
            } catch {
                throw RecordingProblem(
                    "inputs[\(index)] is impossible after those before it. Replay the file with the version that wrote "
                        + "it, \(recording.pushcote.version), or record the run again")
            }
        }
        replay.answerRequests(after: .max)
        requestLog.restore(replay.records, clearedRequest: recording.clearedRequest)
        clock.restore("\(recording.endedAt.milliseconds)")
        return replay.answers
    }

    /// A gateway that shows the end of a recorded run without repeating it.
    package func restore(_ recording: Recording, end: SimulatorSnapshot) throws(RecordingProblem) {
        try restore(end)
        connectionLog.restore(recording.connections)
        clock.restore("\(recording.endedAt.milliseconds)")
    }

    private func restore(_ state: SimulatorSnapshot) throws(RecordingProblem) {
        do {
            try simulator.load(state)
        } catch {
            throw RecordingProblem("its state is invalid: \(error.message). Record the run again")
        }
        // Extensions have answered in the recording.
        _ = simulator.takeExtensionRequests()
    }
}

/// Answers recorded requests again, each in the state in which it came.
private struct RunReplay {
    private let gateway: Gateway
    private let requests: [RecordedRequest]
    private let facts: [UInt32: ConnectionFacts]
    /// Indices of requests, by the notification that they became.
    private var accepted: [UInt64: Int] = [:]
    /// Indices of the others, in order.
    private var others: ArraySlice<Int> = []
    private var pushes: [Int: (push: Push, registration: Registration)] = [:]
    private(set) var answers = ReplayedAnswers()

    init(_ recording: Recording, on gateway: Gateway) {
        self.gateway = gateway
        requests = recording.requests
        facts = Dictionary(recording.connections.map { ($0.number, $0) }) { $1 }
        let pushed = Set(recording.inputs.lazy.compactMap { $0.push?.notification })
        for (index, request) in requests.enumerated() {
            if let notification = request.notification, pushed.contains(notification) {
                accepted[notification] = index
            } else {
                others.append(index)
            }
        }
    }

    var records: [(number: UInt64, record: RequestRecord)] {
        requests.indices.map { (requests[$0].number, requests[$0].record(pushes[$0])) }
    }

    mutating func answerRequests(after inputCount: Int) {
        while let index = others.first, requests[index].inputCount <= inputCount {
            others.removeFirst()
            compare(index, requests[index].request?.block)
        }
    }

    mutating func answerRequest(for input: RecordedInput) {
        guard let (push, token, notification) = input.push, let index = accepted[notification],
            let registration = gateway.simulator.registration(of: token)
        else { return }
        pushes[index] = (push, registration)
        compare(index, RequestBlock(fields: push.request.fields(token: token), body: push.payload))
    }

    private mutating func compare(_ index: Int, _ block: RequestBlock?) {
        let request = requests[index]
        var replayed: RecordedAnswer
        if let block, let connection = connection(of: request), request.isDecidedByInputs,
            !ChannelPath.isElsewhere(block)
        {
            answers.comparedCount += 1
            let rejection = connection.rejection(of: block, like: request)
            let spelling = gateway.settings.spelling
            replayed = RecordedAnswer(rejection, status: rejection?.reason.status ?? 200, spelling)
        } else {
            // What the record says of its answer.
            let copy = RecordedRequest(request.record(pushes[index]), inputCount: 0, gateway.settings.spelling)
            replayed = request.notification == nil || pushes[index] != nil ? copy.answer : request.answer
        }
        if replayed != request.answer { answers.differing.append((request.number, request.answer, replayed)) }
    }

    /// nil when its answers have other rules or are unknown.
    private func connection(of request: RecordedRequest) -> ProviderConnection? {
        guard request.connection > 0 else {
            let entry = ConnectionEntry(facts: ConnectionFacts(openedAt: request.receivedAt))
            return ProviderConnection(gateway: gateway, entry: entry, certificate: nil)
        }
        guard let facts = facts[request.connection], !facts.isForChannels else { return nil }
        return ProviderConnection(gateway: gateway, entry: ConnectionEntry(facts: facts), certificate: nil)
    }
}

extension RecordedRequest {
    /// Whether nothing else decides its answer: credentials are not recorded, and a fault rule has the last word.
    fileprivate var isDecidedByInputs: Bool {
        guard fault == nil, delay == nil, served == nil, authentication != .certificate else { return false }
        switch rejection?.reason {
        case nil: return notification != nil
        case .duplicateHeaders, .topicDisallowed, .serviceUnavailable: return false
        case .badPath, .methodNotAllowed: return true
        case .some: return authentication != .none
        }
    }
}

extension ProviderConnection {
    /// The rejection of a request whose credentials were checked in the recorded run; nothing is registered or recorded.
    fileprivate func rejection(of request: borrowing RequestBlock, like recorded: RecordedRequest) -> APNsRejection? {
        var admission = Admission(now: recorded.receivedAt)
        admission.environment = environment(of: request)
        let hasToken = recorded.connection > 0
        let order = AdmissionCheck.order.filter { check in
            switch check {
            case .authentication, .device: false
            case .deviceToken: hasToken
            default: true
            }
        }
        do throws(APNsRejection) {
            try checkCredentials(recorded)
            try admit(request, &admission, order: order)
            if hasToken { try checkDevice(admission) }
            return nil
        } catch {
            return error
        }
    }

    /// Whether the settings still accept what was accepted.
    private func checkCredentials(_ recorded: RecordedRequest) throws(APNsRejection) {
        let isRefused =
            switch recorded.authentication {
            case .off: asksForCredentials
            case .unknownKey: settings.authenticationMode == .strict
            case .verifiedToken, .certificate, .admin, .none: false
            }
        if isRefused {
            throw APNsRejection(
                recorded.authentication == .off ? .missingProviderToken : .invalidProviderToken, "replay.credentials",
                "The recorded credentials are not enough for auth.mode.")
        }
    }

    private func checkDevice(_ admission: borrowing Admission) throws(APNsRejection) {
        guard let token = admission.token else { return }
        guard let known = gateway.simulator.registration(of: token) else {
            if settings.unknownTokens == .reject { throw DeviceRules.unknown }
            return
        }
        try DeviceRules.check(
            known.status, issued: (known.topic, known.environment), topic: admission.topic,
            environment: admission.environment)
    }
}
