internal import ChildProcesses
internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore

extension ExtensionProcess {
    /// A line came out of its standard output.
    func receive(_ line: [UInt8]) {
        if isIgnored { return }
        do throws(FieldError) {
            guard let message = try ExtensionMessage.read(line) else {
                return output.append(line + [UInt8(ascii: "\n")])
            }
            try receive(message)
        } catch {
            breaksProtocol("\(error)".split(separator: "\n").joined(separator: "; ") + ", in \(Self.excerpt(line))")
        }
    }

    private func receive(_ message: ExtensionMessage) throws(FieldError) {
        guard let child else { return }
        if !memory.hasBaseline { memory.look(at: child.pid) }
        if case .ready = message { return }
        guard let run = try run(of: message) else { return receiveStray(message) }
        try core.take(message, for: run) { [weak self] in self?.send($0) }
        switch message {
        case .content: lookAtMemory()
        case .returned: break
        case .ready, .entered, .bestAttempt, .donate, .log, .center: return
        }
        if run.isAnswered, !isIgnored { answered.append(run) }
    }

    /// The run that a message is about; nil when that is over, or the message names none.
    private func run(of message: ExtensionMessage) throws(FieldError) -> ActiveRun? {
        guard let id = message.id else {
            switch message {
            case .log, .center: return runs.count == 1 ? runs.first?.value : nil
            default:
                throw FieldError(problems: [
                    FieldProblem(FieldPath().member("id"), "is missing", "accepted: the request's id")
                ])
            }
        }
        if let run = runs[id] { return run }
        guard (1...core.lastNumber).contains(id) else {
            throw FieldError(problems: [
                FieldProblem(FieldPath().member("id"), "is \(id)", "accepted: the id of an open request")
            ])
        }
        return nil
    }

    private func receiveStray(_ message: ExtensionMessage) {
        switch message {
        case .content(let id, _, _, _):
            info.lateAnswerCount += 1
            let text =
                "The content handler of request \(id ?? 0) was called after the request had ended; the call is ignored."
            output.append(.init(level: "warning", message: text))
            publish()
        case .log(_, let level, let message): output.append(.init(level: level, message: message))
        case .center(_, let call, _, _): send(HostMessage.reply(call: call, .result(.null)))
        case .ready, .entered, .bestAttempt, .returned, .donate: break
        }
    }

    func receiveComplete() {
        let answered = answered
        self.answered = []
        // Who took too much memory would not have got so far on a device.
        if verdict?.end == .outOfMemory { return }
        for run in answered { core.finishReturned(run) }
    }

    /// It wrote to its standard error.
    func receiveError(_ bytes: ByteBuffer) { output.append(bytes.readableBytesView) }

    /// It said what the protocol does not have: what else it says cannot be trusted.
    func breaksProtocol(_ detail: String) {
        kill(Verdict(end: .protocolError, detail: detail, isSilencing: true))
    }

    private static func excerpt(_ line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(120), as: UTF8.self)
        return line.count > 120 ? text + "…" : text
    }
}

extension ExtensionMessage {
    /// The request's number, if it names one.
    var id: Int? {
        switch self {
        case .ready: nil
        case .entered(let id), .bestAttempt(let id, _), .content(let id, _, _, _), .returned(let id),
            .donate(let id, _), .log(let id, _, _), .center(let id, _, _, _):
            id
        }
    }
}

// MARK: What the host asks of it

extension ExtensionProcess: Carrier {
    func expire(_ run: ActiveRun) {
        lookAtMemory()
        send(HostMessage.timeWillExpire(id: run.number))
    }

    /// A process that does not answer is of no use to the next request; it ends with its last one.
    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if runs.count > 1 {
            retire()
            send(HostMessage.cancel(id: run.number))
            core.finish(run, end, detail)
        } else {
            // The run is finished with the process, so that what it wrote meanwhile belongs to it.
            kill(Verdict(end: end, detail: detail))
        }
    }

    func complete(_ record: inout ExtensionRun) {
        record.log = output.takeLog() + record.log
        record.outputTail = output.tail
        record.peakMemoryByteCount = memory.peakByteCount
        if memory.growth > settings.memoryLimitByteCount {
            record.findings.append(
                Finding(
                    "nse.memory", settings.enforcesMemoryLimit ? .error : .warning, at: "",
                    "The extension took \(memory.growth >> 20) MB more than at its start; on a device it is killed above "
                        + "\(settings.memoryLimitByteCount >> 20) MB.", source: "C.5"))
        }
    }
}

// MARK: Its streams

/// Makes lines of a process's standard output.
///
/// - Note: Confined to the host's event loop.
final class OutputHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let process: ExtensionProcess
    private var lines: LineSplitter

    init(_ process: ExtensionProcess) {
        self.process = process
        lines = LineSplitter(maximumByteCount: process.settings.maximumMessageByteCount)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if process.isIgnored { return }
        lines.append(&bytes)
        do throws(LineSplitter.TooLong) {
            while let line = try lines.next() { process.receive(line) }
        } catch {
            process.breaksProtocol(
                "a line is longer than \(process.settings.maximumMessageByteCount) bytes: end each message with a line break, "
                    + "and pass pictures as files")
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { process.receiveComplete() }

    func channelInactive(context: ChannelHandlerContext) {
        if !process.isIgnored, let line = lines.remainder() { process.receive(line) }
        process.receiveComplete()
        process.hasClosed(context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Keeps the end of a process's standard error.
///
/// - Note: Confined to the host's event loop.
final class ErrorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let process: ExtensionProcess

    init(_ process: ExtensionProcess) { self.process = process }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { process.receiveError(unwrapInboundIn(data)) }

    func channelInactive(context: ChannelHandlerContext) { process.hasClosed(context.channel) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
