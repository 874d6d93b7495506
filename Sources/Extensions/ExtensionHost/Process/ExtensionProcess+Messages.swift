internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore

extension ExtensionProcess {
    func receive(_ bytes: inout ByteBuffer) {
        if isSilenced { return }
        receivedByteCount += bytes.readableBytes
        let limit = settings.receivedByteCount
        if receivedByteCount > limit, !runs.isEmpty {
            return breaksProtocol("it wrote more than \(limit) bytes for one request")
        }
        lines.append(&bytes)
        do throws(LineSplitter.TooLong) {
            while let line = try lines.next() { receive(line) }
        } catch {
            breaksProtocol(
                "a line is longer than \(settings.maximumMessageByteCount) bytes: end each message with a line break, "
                    + "and pass pictures as files")
        }
    }

    func receiveEndOfOutput() {
        if let line = lines.remainder() { receive(line) }
    }

    func receiveComplete() {
        let answered = answered
        self.answered = []
        // On a device, a process that exceeds its memory is killed before its answer.
        if ending?.end == .outOfMemory { return }
        for run in answered { core.finishReturned(run) }
    }

    private func receive(_ line: [UInt8]) {
        if isSilenced { return }
        do throws(FieldError) {
            guard let message = try ExtensionMessage.read(line) else {
                if let problem = ExtensionMessage.problem(of: line) { for run in runs.values { run.add(problem) } }
                return output.append(line + [UInt8(ascii: "\n")])
            }
            try receive(message)
        } catch {
            let text = String(decoding: line.prefix(120), as: UTF8.self) + (line.count > 120 ? "…" : "")
            breaksProtocol("\(error)".split(separator: "\n").joined(separator: "; ") + ", in \(text)")
        }
    }

    private func receive(_ message: ExtensionMessage) throws(FieldError) {
        guard let child else { return }
        if case .ready(let status) = message.kind { return memory.start(from: status, child.process) }
        if !memory.hasBaseline { memory.measure(child.process) }
        guard let run = try run(of: message) else { return receiveStray(message) }
        try core.receive(message.kind, about: run) { [weak self] in self?.send($0) }
        switch message.kind {
        case .content: checkMemory()
        case .returned: break
        case .ready, .entered, .bestAttempt, .donate, .log, .center: return
        }
        if run.isAnswered, !isSilenced { answered.append(run) }
    }

    /// nil if the message names no run, or its run is over.
    private func run(of message: ExtensionMessage) throws(FieldError) -> ActiveRun? {
        func wrong(_ problem: String, _ accepted: String) -> FieldError {
            FieldError(problems: [FieldProblem(FieldPath().member("id"), problem, "accepted: \(accepted)")])
        }
        guard let id = message.id else {
            switch message.kind {
            case .log, .center: return runs.count == 1 ? runs.first?.value : nil
            default: throw wrong("is missing", "the request's id")
            }
        }
        if let run = runs[id] { return run }
        guard (1...core.lastNumber).contains(id) else { throw wrong("is \(id)", "the id of an open request") }
        return nil
    }

    private func receiveStray(_ message: ExtensionMessage) {
        switch message.kind {
        case .content:
            let text =
                "The content handler of request \(message.id ?? 0) was called after the request had ended; "
                + "the call is ignored."
            output.append(.init(level: "warning", message: text))
        case .log(let line): output.append(line)
        case .center(_, let number): send(HostMessage.reply(call: number, .result(.null)))
        case .ready, .entered, .bestAttempt, .returned, .donate: break
        }
    }

    /// After a protocol violation, further output cannot be trusted.
    func breaksProtocol(_ detail: String) {
        kill(Ending(end: .protocolError, detail: detail, isSilencing: true))
    }
}

/// Owned by the host's event loop.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let process: ExtensionProcess
    private let isError: Bool

    init(_ process: ExtensionProcess, isError: Bool) { (self.process, self.isError) = (process, isError) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if isError { process.output.append(bytes.readableBytesView) } else { process.receive(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) { process.receiveComplete() }

    func channelInactive(context: ChannelHandlerContext) {
        if !isError { process.receiveEndOfOutput() }
        process.receiveComplete()
        process.didClose(context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The tail of a process's output outside the protocol, and log lines outside any request.
struct ProcessOutput {
    private var bytes: [UInt8] = []
    private let maximumByteCount: Int
    /// Oldest first; bounded.
    private var log: [ExtensionRun.LogLine] = []

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    var tail: String { String(decoding: bytes.suffix(maximumByteCount), as: UTF8.self) }

    mutating func append(_ more: some Collection<UInt8>) {
        bytes += more.suffix(maximumByteCount)
        // In batches, to avoid moving the tail for every line.
        if bytes.count > 2 * maximumByteCount { bytes.removeFirst(bytes.count - maximumByteCount) }
    }

    mutating func append(_ line: ExtensionRun.LogLine) {
        if log.count == 20 { log.removeFirst() }
        log.append(line)
    }

    mutating func takeLog() -> [ExtensionRun.LogLine] {
        defer { log = [] }
        return log
    }
}
