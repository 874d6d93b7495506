internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore

extension HostCore {
    /// How many donations and calls of the notification center are kept of a run.
    private static let keptCount = 100

    /// Notes what an extension said about a run.
    ///
    /// The run is not finished by an answer: `finishAnswered(_:)` does it, once all that has arrived is noted.
    /// - Parameter reply: Takes the answer to a call of the notification center.
    /// - Throws: `FieldError` when a content or an interaction cannot be read.
    func take(
        _ message: ExtensionMessage, for run: ActiveRun, reply: @escaping (ByteBuffer) -> Void
    ) throws(FieldError) {
        entered(run)
        switch message {
        case .ready, .entered: break
        case .bestAttempt(_, let json):
            let answer = try answer(json, of: run)
            run.bestAttempt = answer.content
            run.note(answer.findings)
        case .content(_, let json, let isExpiring, let awaitsReturn):
            try take(json, isExpiring: isExpiring, for: run)
            if awaitsReturn { run.awaitsReturn = true }
        case .returned: run.hasReturned = true
        case .donate(_, let json):
            let number = run.record.donations.count + 1
            let donation = try Donation(json, named: "\(run.request.identifier)-\(number)") { [delegate] in
                delegate.keep($0, of: run.request)
            }
            if run.record.donations.count < Self.keptCount { run.record.donations.append(donation) }
        case .log(_, let level, let message):
            if run.record.log.count == status.settings.keptLogLines { run.record.log.removeFirst() }
            if status.settings.keptLogLines > 0 { run.record.log.append(.init(level: level, message: message)) }
        case .center(_, let call, let name, let arguments):
            let asked = ExtensionRun.CenterCall(name: name, arguments: arguments)
            if run.record.centerCalls.count < Self.keptCount { run.record.centerCalls.append(asked) }
            let reply = NIOLoopBound(reply, eventLoop: loop)
            delegate.notificationCenter(asked, of: run.request) { [loop] answer in
                let message = HostMessage.reply(call: call, answer)
                if loop.inEventLoop { reply.value(message) } else { loop.execute { reply.value(message) } }
            }
        }
    }

    private func answer(_ json: JSONValue, of run: ActiveRun) throws(FieldError) -> ExtensionAnswer {
        let request = run.request
        return try ExtensionAnswer(
            json, changing: request.content, payload: JSONValue(request.payload.span.bytes),
            donations: run.record.donations, assumptions: delegate.extensionAssumptions
        ) { [delegate] in delegate.keep($0, of: request) }
    }

    /// The handler was called with the request's own content.
    func takeUnchanged(for run: ActiveRun) {
        entered(run)
        record(run.request.content, isExpiring: false, for: run)
    }

    private func take(_ json: JSONValue, isExpiring: Bool, for run: ActiveRun) throws(FieldError) {
        if run.isAnswered { return record(run.request.content, isExpiring: isExpiring, for: run) }
        let answer = try answer(json, of: run)
        run.note(answer.findings)
        record(answer.content, isExpiring: isExpiring, for: run)
    }

    private func record(_ content: NotificationContent, isExpiring: Bool, for run: ActiveRun) {
        if case .timeIsUp = run.phase {
            run.hasLateAnswer = true
            run.record.ignoredAnswerCount += 1
        } else if run.isAnswered {
            run.record.ignoredAnswerCount += 1
        } else {
            run.record.answer = content
            run.record.answerSource = isExpiring || run.isExpired ? .expiration : .handler
            run.record.answerMilliseconds = run.milliseconds
        }
    }

    func finishAnswered(_ run: ActiveRun) {
        if run.isAnswered { finish(run, .answered, "") }
    }

    /// Reports a run whose handler was called, unless `didReceive` still runs: whether it calls the handler again is known
    /// when it has returned.
    func finishReturned(_ run: ActiveRun) {
        if run.isAnswered, run.awaitsReturn, !run.hasReturned { waitForReturn(of: run) } else { finishAnswered(run) }
    }

    /// How long `didReceive` may go on after it has called the handler, in real time; on a device nobody waits for it.
    private static let returnPatience = TimeAmount.seconds(1)

    private func waitForReturn(of run: ActiveRun) {
        switch run.phase {
        case .answered, .timeIsUp, .over: return
        case .expiring(let timer): timer.cancel()
        case .waiting, .starting, .working: status.set(due: nil, run: run.number)
        }
        let bound = NIOLoopBound((self, run), eventLoop: loop)
        let timer = loop.scheduleTask(in: Self.returnPatience) {
            let (core, run) = bound.value
            core.finish(run, .answered, "")
        }
        run.phase = .answered(timer)
    }
}
