internal import APNs
internal import Gateway
internal import HTTP2Engine
internal import HTTP2Server
internal import Logging
internal import TLSEngine

/// Joins a connection of the HTTP/2 server to the gateway.
final class ProviderDelegate: ConnectionDelegate {
    let connection: ProviderConnection
    private let isHTTP1: Bool
    /// Given when every push is to be logged.
    private let logger: Logger?

    /// Where answers wait for the journal; nil when nothing is kept.
    private let gate: CommitGate?

    /// Requests that were judged and are to be answered once everything that came with them was. The event loop keeps accesses apart.
    @exclusivity(unchecked) private var judged: [(answer: Answer, request: Request, responder: Responder)] = []
    private var isAnswering = false
    /// Room for so many is kept from one read to the next.
    private static let keptRoom = 16

    init(gateway: Gateway, description: ConnectionDescription, gate: CommitGate?, logger: Logger) {
        self.gate = gate
        connection = gateway.connect(
            ConnectionFacts(description, openedAt: gateway.now()),
            certificate: description.tls?.clientCertificate.map(CertificateCredential.init))
        isHTTP1 = description.httpVersion == .http1
        self.logger = logger.logLevel <= .debug ? logger : nil
    }

    var initialStreamLimit: UInt32 { connection.initialStreamLimit }

    var goodbye: [UInt8]? { connection.refusal.map { $0.body(.observed) } }

    func received(_ request: Request, _ responder: Responder) {
        if judged.isEmpty { connection.beginTurn() }
        let answer = connection.judge(request.fields, body: request.body, bodyByteCount: request.bodyByteCount)
        guard let pending = answer.pending, let gate else {
            judged.append((answer, request, responder))
            // A rule may end the connection, and nothing that follows counts then.
            if answer.fault != nil { receivedAll() }
            return
        }
        gate.wait(for: pending.position, responder) { [self] outcome in
            send(connection.settle(answer, outcome), to: request, responder)
        }
    }

    func receivedAll() {
        guard !judged.isEmpty, !isAnswering else { return }
        isAnswering = true
        let count = judged.count
        // Taken out, not copied, which would count references twelve times each.
        judged.reverse()
        while !judged.isEmpty {
            let (answer, request, responder) = judged.removeLast()
            send(answer, to: request, responder)
        }
        if count > Self.keptRoom { judged = [] }
        isAnswering = false
    }

    private func send(_ answer: Answer, to request: Request, _ responder: Responder) {
        if let fault = answer.fault {
            carryOut(fault, answer, request, responder)
        } else {
            responder.respond(response(answer, to: request))
            if let limit = answer.streamLimit { responder.setStreamLimit(limit) }
        }
        if let logger { log(answer, logger) }
    }

    /// The answer as it is sent.
    func response(_ answer: Answer, to request: Request) -> Response {
        var response = Response(status: answer.status)
        if answer.fault?.answer?.omits.contains(.apnsID) == true {
            // Asked for: some clients throw without it.
        } else if let echo = answer.echo {
            response.addField("apns-id", byteCount: Int(echo.count)) {
                $0.append(contentsOf: request.fields[echo.bounds])
            }
        } else {
            response.addField("apns-id", byteCount: APNsID.characterCount) { answer.apnsID.write(.upper, into: &$0) }
        }
        if let uniqueID = answer.uniqueID {
            response.addField("apns-unique-id", byteCount: APNsID.characterCount) { uniqueID.write(.lower, into: &$0) }
        }
        if !answer.body.isEmpty { response.addField("content-type", "application/json") }
        if isHTTP1 { response.addField(Self.findingHeader, Self.http1Finding) }
        response.body = answer.body
        return response
    }

    /// The request log has everything else.
    private func log(_ answer: Answer, _ logger: Logger) {
        if let fault = answer.fault {
            logger.debug(
                "Fault rule fired",
                metadata: ["connection": "\(connection.number)", "fault": "\(fault.rule)"])
        }
        logger.debug(
            answer.status == 200 ? "Push accepted" : "Push refused",
            metadata: [
                "connection": "\(connection.number)", "apns-id": "\(answer.apnsID.text(.upper))",
                "status": "\(answer.status)", "body": "\(String(decoding: answer.body, as: UTF8.self))",
            ])
    }

    func refusedHeaderList() -> Response {
        let apnsID = connection.refusedHeaderList()
        var response = Response(status: 431)
        response.addField("apns-id", byteCount: APNsID.characterCount) { apnsID.write(.upper, into: &$0) }
        return response
    }

    func received(settings: [HTTP2Setting]) {
        connection.received(settings: settings.map { (name: $0.name, value: $0.value) })
    }

    func introduced(_ responder: Responder) {
        if let fault = connection.openingFault() { carryOut(fault, responder) }
    }

    func receivedPing() { connection.receivedPing() }

    func closed() { connection.closed() }

    /// What a gateway adds to answers that APNs would not have given.
    private static let findingHeader: StaticString = "x-pushcote-finding"
    private static let http1Finding = "http1: APNs speaks HTTP/2 only and would have closed this connection"
}

extension ConnectionFacts {
    fileprivate init(_ description: ConnectionDescription, openedAt: Instant) {
        self.init(
            remoteAddress: description.remoteAddress, localAddress: description.localAddress,
            traffic: description.traffic.rawValue, httpVersion: description.httpVersion.rawValue,
            tls: description.tls.map(TLSFacts.init), connectTarget: description.connectTarget, openedAt: openedAt)
    }
}

extension ConnectionFacts.TLSFacts {
    fileprivate init(_ handshake: TLSHandshake) {
        self.init(
            version: handshake.version, cipher: handshake.cipher, offeredALPN: handshake.offeredProtocols,
            serverName: handshake.serverName, isResumed: handshake.isResumed,
            clientCertificate: handshake.clientCertificate?.subject)
    }
}

extension CertificateCredential {
    fileprivate init(_ certificate: ClientCertificate) {
        var environments: Set<APNsEnvironment> = []
        if certificate.isDevelopment { environments.insert(.sandbox) }
        if certificate.isProduction { environments.insert(.production) }
        self.init(
            subjectTopic: certificate.userID, topics: Set(certificate.topics + certificate.voipTopics),
            environments: environments, problem: certificate.problem)
    }
}
