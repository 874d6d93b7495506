internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore

extension HostCore {
    /// Calls about donations, and calls of the notification center, to record per run.
    private static let recordedCount = 100
    private static let recordedByteCount = 1 << 20

    /// Records a message. An answer does not finish the run: `finishAnswered(_:)` does, once all output is recorded.
    /// - Throws: `FieldError` for an invalid content or interaction.
    func receive(
        _ message: ExtensionMessage.Kind, about run: ActiveRun, reply: @escaping (ByteBuffer) -> Void
    ) throws(FieldError) {
        entered(run)
        switch message {
        case .ready, .entered: break
        case .bestAttempt(let json): run.bestAttempt = try content(json, of: run)
        case .content(let json, let isExpiring, let awaitsReturn):
            // Further answers are counted, not read.
            let content = run.isAnswered ? run.request.content : try content(json, of: run)
            receiveAnswer(content, isExpiring: isExpiring, of: run)
            if awaitsReturn { run.awaitsReturn = true }
        case .returned: run.hasReturned = true
        case .donate(let json):
            let number = run.record.donations.count + 1
            let donation = try Donation(json, named: "\(run.request.identifier)-\(number)") { [delegate] in
                delegate.store($0, of: run.request)
            }
            if let refusal = record(.donate(donation), of: run) { run.refused("The donation", refusal) }
        case .log(let line): run.add(line, keeping: status.settings.keptLogLines)
        case .center(let call, let number):
            run.centerCallCount += 1
            let limit = status.settings.centerCallCount
            guard run.centerCallCount <= limit else {
                let found = "a request has at most \(limit) calls of the notification center"
                throw FieldError(problems: [FieldProblem(FieldPath(), found, "make fewer")])
            }
            if let answer = answer(call, of: run) { return reply(HostMessage.reply(call: number, answer)) }
            guard
                call.arguments.byteCount(upTo: ExtensionAnswer.byteLimit, besidesPictures: true)
                    <= ExtensionAnswer.byteLimit
            else {
                let reason = "its arguments have more than \(ExtensionAnswer.byteLimit) bytes of JSON besides pictures"
                return reply(HostMessage.reply(call: number, .refused(reason)))
            }
            record(call, of: run)
            let reply = NIOLoopBound(reply, eventLoop: loop)
            delegate.notificationCenter(call, of: run.request) { [loop] answer in
                let message = HostMessage.reply(call: number, answer)
                if loop.inEventLoop { reply.value(message) } else { loop.execute { reply.value(message) } }
            }
        }
    }

    private func record(_ call: ExtensionRun.CenterCall, of run: ActiveRun) {
        let left = Self.recordedByteCount - run.centerByteCount
        let count = call.arguments.byteCount(upTo: left)
        guard run.record.centerCalls.count < Self.recordedCount, count <= left else { return }
        run.centerByteCount += count
        run.record.centerCalls.append(call)
    }

    /// Records a call about donations; nil for any other call.
    private func answer(_ call: ExtensionRun.CenterCall, of run: ActiveRun) -> CenterReply? {
        let refusal: String?
        do throws(FieldError) {
            let read = try DonationCall.read(call) { [delegate] in delegate.store($0, of: run.request) }
            guard let read else { return nil }
            refusal = record(read, of: run)
        } catch {
            refusal = error.problems.map(\.description).joined(separator: "; ")
        }
        guard let refusal else { return .result(.null) }
        run.refused("The call \(call.name)", refusal)
        return .refused(refusal)
    }

    /// - Returns: Why the call is refused; nil if it is recorded.
    private func record(_ call: DonationCall, of run: ActiveRun) -> String? {
        guard run.record.donationCalls.count < Self.recordedCount else {
            return "a request has at most \(Self.recordedCount) calls about donations"
        }
        let (count, limit) = (call.byteCount, DonationCall.byteLimit)
        guard count <= limit else { return "it has \(count) bytes of JSON; accepted are at most \(limit)" }
        let total = run.record.donationCalls.reduce(count) { $0 + $1.byteCount }
        guard total <= Self.recordedByteCount else {
            return "the calls about donations of a request have at most \(Self.recordedByteCount) bytes of JSON"
        }
        run.record.donationCalls.append(call)
        return nil
    }

    private func content(_ json: JSONValue, of run: ActiveRun) throws(FieldError) -> NotificationContent {
        let request = run.request
        let answer = try ExtensionAnswer(
            json, changing: request.content, payload: JSONValue(request.payload.span.bytes),
            donations: run.record.donations, assumptions: delegate.extensionAssumptions
        ) { [delegate] in delegate.store($0, of: request) }
        run.add(answer.findings)
        return answer.content
    }

    func receiveUnchangedContent(of run: ActiveRun) {
        entered(run)
        receiveAnswer(run.request.content, isExpiring: false, of: run)
    }

    private func receiveAnswer(_ content: NotificationContent, isExpiring: Bool, of run: ActiveRun) {
        if case .timeIsUp = run.phase {
            run.record.ignoredAnswerCount += 1
        } else if run.isAnswered {
            run.record.ignoredAnswerCount += 1
        } else {
            run.record.answer = content
            run.record.answerSource = isExpiring || run.record.expiredAt != nil ? .expiration : .handler
            run.record.answerMilliseconds = run.milliseconds
        }
    }

    func finishAnswered(_ run: ActiveRun) {
        if run.isAnswered { finish(run, .answered, "") }
    }

    /// Reports an answered run, unless `didReceive` is still running and may call the handler again.
    func finishReturned(_ run: ActiveRun) {
        if run.isAnswered, run.awaitsReturn, !run.hasReturned { waitForReturn(of: run) } else { finishAnswered(run) }
    }

    /// Real time for `didReceive` to return after calling the handler; a device does not wait.
    private static let returnTimeLimit = TimeAmount.seconds(1)

    private func waitForReturn(of run: ActiveRun) {
        switch run.phase {
        case .answered, .timeIsUp, .over: return
        case .expiring(let timer): timer.cancel()
        case .waiting, .starting, .working: status.set(due: nil, run: run.number)
        }
        run.phase = .answered(
            loop.assumeIsolated().scheduleTask(in: Self.returnTimeLimit) { self.finish(run, .answered, "") })
    }
}
