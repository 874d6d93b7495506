internal import Clients
internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore
internal import Time

/// A POST to an extension behind a URL, and another when time is nearly up. Owned by the host's event loop.
final class HTTPExchange: Runner {
    fileprivate let run: ActiveRun
    fileprivate let core: HostCore
    fileprivate let settings: ExtensionSettings
    private var channels: [any Channel] = []

    init(_ run: ActiveRun, core: HostCore) {
        self.run = run
        self.core = core
        settings = core.status.settings
    }

    func start(_ run: ActiveRun, at instant: Instant) {
        core.begin(run, on: self, at: instant, isNewProcess: false)
        post(HostMessage.didReceive(run.request, id: run.number, folder: nil), isFirst: true)
    }

    func expire(_ run: ActiveRun) { post(HostMessage.timeWillExpire(id: run.number), isFirst: false) }

    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) { core.finish(run, end, detail) }

    func release(_ run: ActiveRun) {
        for channel in channels { channel.close(promise: nil) }
    }

    private func post(_ message: ByteBuffer, isFirst: Bool) {
        do throws(LaunchError) {
            let target = try Self.target(run.service.url ?? "")
            let call = HTTPCall(
                host: target.host, port: target.port, authority: target.authority, method: "POST", target: target.path,
                headers: [("content-type", "application/x-ndjson"), ("accept", "application/x-ndjson")], body: message,
                connectTimeout: settings.startupLimit)
            call.start(on: core.loop, HTTPAnswerReader(self, isFirst: isFirst, authority: target.authority))
        } catch {
            core.finish(run, .unreachable, error.message)
        }
    }

    private static func target(_ url: String) throws(LaunchError) -> HTTPTarget {
        guard let target = try? HTTPTarget(url) else {
            throw LaunchError("\(url) is not a URL; use one such as http://127.0.0.1:9000/extension")
        }
        guard !target.needsTLS else {
            throw LaunchError(
                "\(url) needs TLS, which the gateway does not speak to extensions, as they run beside it: give an "
                    + "address that starts with http://")
        }
        return target
    }

    fileprivate func add(_ channel: any Channel) {
        if run.isOver { channel.close(promise: nil) } else { channels.append(channel) }
    }

    fileprivate func receive(_ line: [UInt8]) {
        guard !run.isOver, line.contains(where: { $0 > 0x20 }) else { return }
        do throws(FieldError) {
            guard let message = try ExtensionMessage.read(line) ?? Self.plainAnswer(line) else {
                if let problem = ExtensionMessage.problem(of: line) {
                    return breaksProtocol("a line of the answer is \(problem.message)")
                }
                return breaksProtocol(
                    "a line of the answer is neither a message nor JSON with content: send one object per line")
            }
            guard message.id ?? run.number == run.number else {
                return breaksProtocol("id is \(message.id ?? 0); accepted: \(run.number), or no id")
            }
            // HTTP has no way to return the reply of a notification center call.
            try core.receive(message.kind, about: run) { _ in }
        } catch {
            breaksProtocol("\(error)".split(separator: "\n").joined(separator: "; "))
        }
    }

    /// `{"content":{…}}`, which needs no type.
    private static func plainAnswer(_ body: [UInt8]) -> ExtensionMessage? {
        guard case .object(let members)? = JSONValue(body.span.bytes), members["type"] == nil,
            let content = members["content"], case .object = content
        else { return nil }
        return ExtensionMessage(kind: .content(content))
    }

    fileprivate func breaksProtocol(_ detail: String) { core.finish(run, .protocolError, detail) }
}

/// Splits an answer into lines, unless its type is `application/json`: one document. Owned by the host's event loop.
private final class HTTPAnswerReader: HTTPReceiver {
    private let exchange: HTTPExchange
    /// Answers `didReceive`: only then does an empty answer count and a failure end the run.
    private let isFirst: Bool
    private let authority: String
    private var lines: LineSplitter
    private var byteCount = 0
    private var isOneDocument = false

    init(_ exchange: HTTPExchange, isFirst: Bool, authority: String) {
        (self.exchange, self.isFirst, self.authority) = (exchange, isFirst, authority)
        lines = LineSplitter(maximumByteCount: exchange.settings.maximumMessageByteCount)
    }

    func connected(_ channel: any Channel) {
        exchange.add(channel)
        if isFirst { exchange.core.entered(exchange.run) }
    }

    func receive(status: Int, contentType: String) {
        isOneDocument = contentType.lowercased().hasPrefix("application/json")
        guard status != 200, status != 204 else { return }
        exchange.breaksProtocol("the server answered with status \(status); accepted: 200 with messages, or 204")
    }

    func receive(_ bytes: inout ByteBuffer) {
        byteCount += bytes.readableBytes
        let limit = exchange.settings.maximumMessageByteCount
        guard byteCount <= limit else {
            return exchange.breaksProtocol("the answer is longer than \(limit) bytes: pass pictures as URLs of files")
        }
        lines.append(&bytes)
        if isOneDocument { return }
        // A line is never longer than the body.
        while let line = try? lines.next() { exchange.receive(line) }
    }

    func receiveComplete() { exchange.core.finishAnswered(exchange.run) }

    func ended() {
        if let line = lines.remainder() { exchange.receive(line) }
        if exchange.run.isOver { return }
        if isFirst, !exchange.run.isAnswered { exchange.core.receiveUnchangedContent(of: exchange.run) }
        exchange.core.finishAnswered(exchange.run)
    }

    func failed(_ problem: HTTPProblem) {
        let reason: String
        switch problem {
        case .notHTTP, .spokeFirst: return exchange.breaksProtocol("the server does not speak HTTP/1.1")
        case .unreachable(let why): reason = "\(authority): \(why): is the server running?"
        case .connectTimeout:
            reason = "\(authority): no connection within \(exchange.settings.startupLimit): is the server running?"
        case .closed, .tooLong, .answerTimeout: reason = "the server closed the connection before it answered"
        }
        if isFirst { exchange.core.finish(exchange.run, .unreachable, reason) }
    }
}
