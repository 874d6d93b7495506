internal import APNs
internal import DeviceModel
internal import Fields
internal import HTTP1Client
internal import JSON
internal import NIOCore

/// One request to an extension behind a URL: a POST, and a second one when time is nearly up.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class HTTPExchange {
    enum Part {
        case didReceive, timeWillExpire
    }

    private let run: ActiveRun
    private let core: HostCore
    private let settings: ExtensionSettings
    private var channels: [any Channel] = []
    private var isOver = false

    init(_ run: ActiveRun, core: HostCore) {
        self.run = run
        self.core = core
        settings = core.status.settings
    }

    /// Asks the server; the run's time begins.
    func start(at instant: Instant) {
        core.begin(run, on: self, at: instant, isNewProcess: false)
        post(HostMessage.didReceive(run.request, id: run.number, folder: nil), as: .didReceive)
    }

    private func post(_ message: ByteBuffer, as part: Part) {
        do throws(LaunchError) {
            let target = try HTTPTarget(run.service.url ?? "")
            let call = HTTPCall(
                host: target.host, port: target.port, authority: target.authority, method: "POST", target: target.path,
                headers: [("content-type", "application/x-ndjson"), ("accept", "application/x-ndjson")], body: message,
                connectTimeout: settings.startupLimit)
            call.start(on: core.loop, HTTPAnswerReader(self, part, maximumByteCount: settings.maximumMessageByteCount))
        } catch {
            core.finish(run, .unreachable, error.message)
        }
    }

    // MARK: What the server says

    fileprivate func connected(_ channel: any Channel, _ part: Part) {
        guard !isOver else { return channel.close(promise: nil) }
        channels.append(channel)
        if part == .didReceive { core.entered(run) }
    }

    /// A line of a body, or a whole body.
    fileprivate func receive(_ line: [UInt8]) {
        guard !isOver, line.contains(where: { $0 > 0x20 }) else { return }
        do throws(FieldError) {
            let message = try ExtensionMessage.read(line) ?? Self.plainAnswer(line)
            guard let message else {
                return breaksProtocol(
                    "a line of the answer is neither a message nor JSON with content: send one object per line")
            }
            guard message.id ?? run.number == run.number else {
                return breaksProtocol("id is \(message.id ?? 0); accepted: \(run.number), or no id")
            }
            // There is nobody to tell the reply of a call of the notification center.
            try core.take(message, for: run) { _ in }
        } catch {
            breaksProtocol("\(error)".split(separator: "\n").joined(separator: "; "))
        }
    }

    /// `{"content":{…}}`, which needs no type.
    private static func plainAnswer(_ body: [UInt8]) -> ExtensionMessage? {
        guard case .object(let members)? = JSONValue(body.span.bytes), members["type"] == nil,
            let content = members["content"], case .object = content
        else { return nil }
        return .content(id: nil, content: content, isExpiring: false, awaitsReturn: false)
    }

    fileprivate func receiveComplete() {
        if !isOver { core.finishAnswered(run) }
    }

    fileprivate func hasAnswered(_ part: Part) {
        if isOver { return }
        // Only the first request's silence is an answer.
        if part == .didReceive, !run.isAnswered { core.takeUnchanged(for: run) }
        core.finishAnswered(run)
    }

    fileprivate func failed(_ problem: HTTPProblem, _ part: Part) {
        let authority = (try? HTTPTarget(run.service.url ?? ""))?.authority ?? ""
        let reason: String
        switch problem {
        case .notHTTP, .spokeFirst: return breaksProtocol("the server does not speak HTTP/1.1")
        case .unreachable(let why): reason = "\(authority): \(why): is the server running?"
        case .connectTimeout:
            reason = "\(authority): no connection within \(settings.startupLimit): is the server running?"
        case .closed, .tooLong, .answerTimeout:
            reason = "the server closed the connection before it answered"
        }
        if part == .didReceive, !isOver { core.finish(run, .unreachable, reason) }
    }

    /// What came is not the protocol.
    fileprivate func breaksProtocol(_ detail: String) {
        if !isOver { core.finish(run, .protocolError, detail) }
    }
}

extension HTTPExchange: Carrier {
    func expire(_ run: ActiveRun) { post(HostMessage.timeWillExpire(id: run.number), as: .timeWillExpire) }

    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) { core.finish(run, end, detail) }

    func letGo(_ run: ActiveRun) {
        isOver = true
        for channel in channels { channel.close(promise: nil) }
    }

    func complete(_ record: inout ExtensionRun) {}
}

/// Makes lines of an answer, or one document of it when it says that it is `application/json`.
///
/// - Note: Confined to the host's event loop.
private final class HTTPAnswerReader: HTTPReceiver {
    private let exchange: HTTPExchange
    private let part: HTTPExchange.Part
    private let maximumByteCount: Int
    private var lines: LineSplitter
    private var byteCount = 0
    private var isWhole = false

    init(_ exchange: HTTPExchange, _ part: HTTPExchange.Part, maximumByteCount: Int) {
        (self.exchange, self.part, self.maximumByteCount) = (exchange, part, maximumByteCount)
        lines = LineSplitter(maximumByteCount: maximumByteCount)
    }

    func connected(_ channel: any Channel) { exchange.connected(channel, part) }

    func receive(status: Int, contentType: String) {
        isWhole = contentType.lowercased().hasPrefix("application/json")
        guard status != 200, status != 204 else { return }
        exchange.breaksProtocol("the server answered with status \(status); accepted: 200 with messages, or 204")
    }

    func receive(_ bytes: inout ByteBuffer) {
        byteCount += bytes.readableBytes
        guard byteCount <= maximumByteCount else {
            return exchange.breaksProtocol(
                "the answer is longer than \(maximumByteCount) bytes: pass pictures as URLs of files")
        }
        lines.append(&bytes)
        if isWhole { return }
        // A line is never longer than the body.
        while let line = try? lines.next() { exchange.receive(line) }
    }

    func receiveComplete() { exchange.receiveComplete() }

    func ended() {
        if let line = lines.remainder() { exchange.receive(line) }
        exchange.hasAnswered(part)
    }

    func failed(_ problem: HTTPProblem) { exchange.failed(problem, part) }
}
