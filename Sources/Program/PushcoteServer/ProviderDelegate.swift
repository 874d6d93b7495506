internal import APNs
internal import Gateway
internal import HTTP2Engine
internal import ProviderServer
internal import Relay
internal import RequestWire
internal import TLSEngine
internal import Time

final class ProviderDelegate: ConnectionDelegate {
    let connection: ProviderConnection
    private let isHTTP1: Bool
    /// Delays answers until their pushes are committed; nil without a journal.
    private let gate: CommitGate?
    /// nil unless selected pushes are relayed.
    private let relay: Relay?
    /// Whether the current read has had a request.
    private var isInTurn = false
    private var response = Response()
    /// Record numbers of answers delayed by a fault rule, by stream.
    var delayedRecords: [Int32: UInt64] = [:]
    /// Record numbers of answers that a fault rule withholds, by open stream; a later GOAWAY may exclude them.
    var withheldRecords: [Int32: UInt64] = [:]

    init(gateway: Gateway, description: ConnectionDescription, gate: CommitGate?, relay: Relay?) {
        self.gate = gate
        self.relay = relay
        connection = gateway.connect(
            ConnectionFacts(description, openedAt: gateway.now()),
            certificate: description.tls?.clientCertificate.map(CertificateCredential.init))
        if let rule = description.acceptFault { connection.recordFault(rule, on: .accept) }
        isHTTP1 = description.httpVersion == .http1
    }

    var initialStreamLimit: UInt32 { connection.initialStreamLimit }

    var goodbye: [UInt8]? { connection.refusal.map { $0.body(.observed) } }

    var goodbyeDetail: String { connection.refusal?.diagnosis.message ?? "" }

    func received(_ request: consuming Request, _ responder: consuming Responder) {
        if !isInTurn { connection.beginTurn() }
        isInTurn = true
        let request = AnsweredRequest(
            answer: connection.answer(to: request.block), request: request.block, responder: responder)
        if let gate, let pending = request.answer.pending { return wait(gate, pending, request) }
        if request.answer.fault?.leavesUnprocessed == true { request.responder.disown() }
        send(request)
    }

    func receivedAll() { isInTurn = false }

    private func wait(_ gate: CommitGate, _ pending: PendingPush, _ request: borrowing AnsweredRequest) {
        let (answer, block, responder) = (request.answer, request.request, request.responder)
        gate.wait(for: pending.position, responder) { [self] outcome in
            let answer = connection.finish(answer, outcome)
            send(AnsweredRequest(answer: answer, request: block, responder: responder))
        }
    }

    private func send(_ request: borrowing AnsweredRequest) {
        if let fault = request.answer.fault {
            carryOut(fault, request)
        } else {
            // Moved to a local variable: a long access to a property incurs exclusivity checks.
            var response = response
            self.response = Response()
            write(request, to: &response)
            if !request.responder.respond(response) { recordLoss(of: request.answer.record, request.responder) }
            self.response = response
            if let limit = request.answer.streamLimit { request.responder.setStreamLimit(limit) }
        }
        if let relay, let push = connection.relayed(request.request, request.answer, by: relay.upstream.rules) {
            relay.offer(push)
        }
    }

    func write(_ request: borrowing AnsweredRequest, to response: inout Response) {
        response.reset(status: request.answer.status)
        if request.answer.fault?.answer?.omits.contains(.apnsID) == true {
            // A fault rule omits apns-id: some clients throw without it.
        } else {
            let name: StaticString = request.answer.channel == nil ? "apns-id" : "apns-request-id"
            if let echo = request.answer.echo {
                response.addField(name, bytes: request.request.bytes.span.bytes.extracting(echo.bounds))
            } else {
                response.addField(name, request.answer.apnsID, .upper)
            }
        }
        if let id = request.answer.channel?.id { response.addField("apns-channel-id", id) }
        if let uniqueID = request.answer.uniqueID { response.addField("apns-unique-id", uniqueID, .lower) }
        if !request.answer.body.isEmpty {
            response.addField("content-type", "application/json")
            // HTTP/1.1 needs its length even in a response to HEAD, which has no body (RFC 9110 §9.3.2).
            if isHTTP1 || request.request.value(of: .method) != "HEAD" { response.body = request.answer.body }
        }
        if isHTTP1 { response.addField(Self.findingHeader, Self.http1Finding) }
    }

    func receivedOversizedHeaders(_ responder: Responder) {
        let (apnsID, record) = connection.refuseHeaderList()
        var response = Response(status: RequestRecord.oversizedStatus)
        response.addField("apns-id", apnsID, .upper)
        if !responder.respond(response) { recordLoss(of: record, responder) }
    }

    func received(settings: [HTTP2Setting]) {
        connection.received(settings: settings.map { (name: $0.name, value: $0.value) })
    }

    func cancelled(_ stream: Int32) {
        withheldRecords[stream] = nil
        if let record = delayedRecords.removeValue(forKey: stream) { connection.record(.cancelled, for: record) }
    }

    func sent(_ goAway: SentGoAway) {
        connection.sent(
            goAway: goAway.code, lastStream: goAway.lastStream, debugData: goAway.debugData,
            isViolation: goAway.isViolation)
        let records = withheldRecords.merging(delayedRecords) { $1 }
        for (stream, record) in records where stream > goAway.lastStream {
            withheldRecords[stream] = nil
            delayedRecords[stream] = nil
            connection.record(.unprocessed, for: record)
        }
    }

    func ended(_ outcome: ConnectionOutcome) { connection.ended(outcome.ending, limit: outcome.limit?.rawValue) }

    func introduced(_ responder: Responder) {
        if let fault = connection.openingFault() { carryOut(fault, responder) }
    }

    func receivedPing() { connection.receivedPing() }

    func refusedStreams(_ count: Int) { connection.refusedStreams(count) }

    func refusedAfterGoAway() { connection.refusedAfterGoAway() }

    func closed() {
        for record in delayedRecords.values { connection.record(.connectionLost, for: record) }
        delayedRecords = [:]
        connection.closed()
    }

    private static let findingHeader: StaticString = "x-pushcote-finding"
    private static let http1Finding = "http1: APNs speaks HTTP/2 only and would have closed this connection"
}

struct AnsweredRequest: ~Copyable {
    let answer: Answer
    let request: RequestBlock
    let responder: Responder
}

extension Response {
    fileprivate mutating func addField(_ name: StaticString, _ value: APNsID, _ letterCase: APNsID.LetterCase) {
        addField(name, byteCount: APNsID.characterCount) { value.write(letterCase, into: &$0) }
    }
}

extension ConnectionFacts {
    fileprivate init(_ description: ConnectionDescription, openedAt: Instant) {
        self.init(openedAt: openedAt)
        remoteAddress = description.remoteAddress
        localAddress = description.localAddress
        traffic = description.traffic
        httpVersion = description.httpVersion
        tls = description.tls.map(TLSFacts.init)
        connectTarget = description.connectTarget
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
