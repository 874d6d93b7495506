internal import APNs
internal import DeviceModel
internal import Fields
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// One request to an extension behind a URL: a POST, and a second one when time is nearly up.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class HTTPExchange {
    /// Which of the two POSTs.
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
        settings = core.board.settings
    }

    /// The longest body that is read, in bytes.
    var maximumByteCount: Int { settings.maximumMessageByteCount }

    /// Asks the server; the run's time begins.
    func start(at instant: Instant) {
        core.begin(run, on: self, at: instant, isNewProcess: false)
        post(HostMessage.didReceive(run.request, id: run.number, folder: nil), as: .didReceive)
    }

    private func post(_ message: ByteBuffer, as part: Part) {
        do throws(LaunchError) {
            let target = try HTTPTarget(run.service.url ?? "")
            let bound = NIOLoopBound(self, eventLoop: core.loop)
            ClientBootstrap(group: core.loop)
                .connectTimeout(TimeAmount(settings.startupLimit))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(HTTPAnswerHandler(bound.value, part))
                    }
                }
                .connect(host: target.host, port: target.port)
                .whenComplete { result in bound.value.connected(result, part, target, message) }
        } catch {
            core.finish(run, .unreachable, error.message)
        }
    }

    private func connected(
        _ result: Result<any Channel, any Error>, _ part: Part, _ target: HTTPTarget, _ message: ByteBuffer
    ) {
        switch result {
        case .success(let channel):
            guard !isOver else { return channel.close(promise: nil) }
            channels.append(channel)
            if part == .didReceive { core.entered(run) }
            let headers: HTTPHeaders = [
                "host": target.authority, "content-type": "application/x-ndjson", "accept": "application/x-ndjson",
                "content-length": String(message.readableBytes), "connection": "close",
            ]
            let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: target.path, headers: headers)
            channel.write(HTTPClientRequestPart.head(head), promise: nil)
            channel.write(HTTPClientRequestPart.body(.byteBuffer(message)), promise: nil)
            channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        case .failure(let error):
            guard part == .didReceive, !isOver else { return }
            core.finish(run, .unreachable, "\(target.authority): \(Self.words(error)): is the server running?")
        }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words($0.error) } ?? "unknown host \(error.host)"
        case let error as IOError: error.description
        default: "\(error)"
        }
    }

    // MARK: What the server says

    /// A line of a body, or a whole body.
    func receive(_ line: [UInt8]) {
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

    /// All that has arrived was read.
    func receiveComplete() {
        if !isOver { core.finishAnswered(run) }
    }

    /// The server answered with a status that is no answer.
    func receive(status: Int) {
        breaksProtocol("the server answered with status \(status); accepted: 200 with messages, or 204")
    }

    /// An answer is complete.
    func hasAnswered(_ part: Part) {
        if isOver { return }
        // Only the first request's silence is an answer.
        if part == .didReceive, !run.isAnswered { core.takeUnchanged(for: run) }
        core.finishAnswered(run)
    }

    /// A connection ended before its answer did.
    func hasBroken(_ part: Part) {
        guard part == .didReceive, !isOver else { return }
        core.finish(run, .unreachable, "the server closed the connection before it answered")
    }

    /// What came is not the protocol.
    func breaksProtocol(_ detail: String) {
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
