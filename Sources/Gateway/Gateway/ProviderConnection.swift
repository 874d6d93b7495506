package import APNs
internal import DeviceSimulator
package import RequestWire
internal import Synchronization
internal import Time

/// Answers the requests of one connection. Not `Sendable`: the event loop that accepted the connection owns it.
package final class ProviderConnection {
    let gateway: Gateway
    let entry: ConnectionEntry
    let certificate: CertificateCredential?
    var settings: GatewaySettings
    var settingsRevision: UInt64
    var binding = ConnectionBinding.unbound
    var updates = TokenUpdates()
    /// Of the related key, which has tokens of its own.
    var relatedUpdates = TokenUpdates()
    var memo = RequestMemo()
    var identifiers: SplitMix64
    private var streamLimit: UInt32 {
        get { entry.streamLimit.load(ordering: .relaxed) }
        set { entry.streamLimit.store(newValue, ordering: .relaxed) }
    }
    var earlierReasons: Set<APNsReason> = []
    private var lastRequestAt: Instant
    private var turnTime: Instant
    /// Why this turn's requests get 503: the lease on the database ran out. nil if they are served.
    private var suspension: String?
    /// False on the ports and for the host names of channel management.
    let servesPushes: Bool
    /// The longest time between two requests.
    private(set) var longestPause = Duration.zero

    init(gateway: Gateway, entry: ConnectionEntry, certificate: CertificateCredential?) {
        self.gateway = gateway
        self.entry = entry
        self.certificate = certificate
        lastRequestAt = entry.facts.openedAt
        turnTime = lastRequestAt
        servesPushes = !entry.facts.isForChannels
        settingsRevision = gateway.revision
        settings = gateway.settings
        identifiers = SplitMix64(seed: gateway.identifierSeed &+ UInt64(entry.facts.number) << 32)
        streamLimit = settings.oneStreamUntilAccepted && certificate == nil ? 1 : settings.streamLimit
        if let refusal { entry.details.withLock { $0.refusal = refusal } }
    }

    /// False for direct pushes, which are on connection 0.
    var asksForCredentials: Bool { settings.authenticationMode != .off && number != 0 }

    package var number: UInt32 { entry.facts.number }

    package var initialStreamLimit: UInt32 { streamLimit }

    /// Why to reject the connection with GOAWAY; `nil` to accept it. As with APNs, a certificate for the other
    /// environment ends the connection instead of failing a request.
    package var refusal: APNsRejection? {
        guard let certificate, certificate.problem == nil, asksForCredentials else { return nil }
        do throws(APNsRejection) {
            try certificate.checkEnvironment(environment(authority: nil))
            return nil
        } catch {
            return error
        }
    }

    /// Reads the clock and the settings, once for all requests that arrived together.
    package func beginTurn() {
        refreshSettings()
        turnTime = gateway.now()
        suspension = gateway.keeper?.suspension
        if turnTime > lastRequestAt {
            longestPause = max(longestPause, turnTime.since(lastRequestAt))
            lastRequestAt = turnTime
        }
    }

    /// Checks a request; records the result and delivers an accepted push.
    package func answer(to request: borrowing RequestBlock) -> Answer {
        settings.redactedMembers.isEmpty ? decide(request) : decide(redacted(copy request))
    }

    private func decide(_ request: borrowing RequestBlock) -> Answer {
        var admission = Admission(now: turnTime)
        admission.environment = environment(of: request)
        if let suspension { return refuse(request, admission, APNsRejection(unstored: suspension)) }
        if !servesPushes || ChannelPath.isElsewhere(request) { admission.channel = channelRequest(request) }
        var isOffered = false
        do throws(APNsRejection) {
            if let channel = admission.channel {
                try admit(request, &admission, channel)
            } else {
                try admit(request, &admission)
            }
            isOffered = true
            if gateway.faults.has(.request), let answer = faultyAnswer(request, admission, nil) { return answer }
            return try accept(request, admission)
        } catch {
            if gateway.faults.has(.request),
                let answer = faultyAnswer(request, admission, error, wasOffered: isOffered)
            {
                return answer
            }
            return refuse(request, admission, error)
        }
    }

    /// Records a request whose header list is too large; it counts as refused.
    package func refuseHeaderList() -> (apnsID: APNsID, record: UInt64) {
        entry.refused.add(1, ordering: .relaxed)
        let apnsID = identifiers.nextID()
        let record = gateway.requestLog.append(
            RequestRecord(
                receivedAt: gateway.now(), connection: number, environment: environment(authority: nil),
                authentication: .none, outcome: .oversized(apnsID)))
        return (apnsID, record)
    }

    private func refreshSettings() {
        let revision = gateway.revision
        guard revision != settingsRevision else { return }
        settingsRevision = revision
        settings = gateway.settings
        memo = RequestMemo()
    }

    func accept(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, fault: FaultMark? = nil
    ) throws(APNsRejection) -> Answer {
        if let channel = admission.channel { return try accept(request, admission, channel, fault: fault) }
        let (push, _, pending, record) = try deliver(request, admission, fault: fault)
        return Answer(
            status: 200, apnsID: push.apnsID, echo: admission.messageID == nil ? nil : request[.apnsID],
            uniqueID: push.environment == .sandbox ? push.uniqueID : nil, body: [],
            streamLimit: announce(settings.streamLimit), pending: pending, record: record)
    }

    /// Delivers an accepted push to its device and records it.
    /// - Returns: `pending` when the push must be committed before it is recorded; `record` is 0 then.
    /// - Throws: When the push cannot be stored.
    func deliver(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, fault: FaultMark? = nil
    ) throws(APNsRejection) -> (push: Push, notification: UInt64, pending: PendingPush?, record: UInt64) {
        guard let registration = admission.registration else {
            preconditionFailure("admission ends with a registration")
        }
        let push = makePush(request, admission, for: registration.token)
        if let fault, let end = fault.extensionEnd { gateway.extensionFaults.add(push.uniqueID, end, by: fault.rule) }
        let receipt: PushReceipt
        do throws(JournalRefusal) {
            receipt = try gateway.simulator.accept(push, for: registration, memo.digest(of: push))
        } catch {
            throw APNsRejection(unstored: error.reason)
        }
        let (pending, record) = recordAccepted(
            makeRecord(
                .accepted(push: push, registration: registration, notification: receipt.sequence), admission, fault),
            at: receipt.position)
        return (push, receipt.sequence, pending, record)
    }

    /// Records an accepted request, unless it must be committed first.
    @inline(__always)
    func recordAccepted(
        _ record: consuming RequestRecord, at position: UInt64
    ) -> (pending: PendingPush?, record: UInt64) {
        guard position == 0 else { return (PendingPush(position: position, record: record), 0) }
        entry.accepted.add(1, ordering: .relaxed)
        return (nil, gateway.requestLog.append(record))
    }

    @inline(__always)
    func makeRecord(
        _ outcome: consuming RequestRecord.Outcome, _ admission: borrowing Admission, _ fault: FaultMark?
    ) -> RequestRecord {
        RequestRecord(
            receivedAt: admission.now, connection: number, environment: admission.environment,
            authentication: admission.authentication, outcome: outcome, fault: fault, answer: fault?.answer)
    }

    /// - Parameter token: `nil` while it is unknown.
    @inline(__always)
    func makePush(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, for token: DeviceToken?
    ) -> Push {
        let uniqueID = identifiers.nextID()
        return Push.make(
            request, token: token,
            PushFacts(
                apnsID: admission.messageID ?? identifiers.nextID(), uniqueID: uniqueID,
                environment: admission.environment, pushType: admission.pushType, priority: admission.priority,
                expiration: admission.expiration, receivedAt: admission.now, connection: number))
    }

    package func record(_ fate: DelayedAnswer.Fate, for record: UInt64) {
        guard record > 0 else { return }
        gateway.requestLog.record(DelayedAnswer(fate, at: gateway.now()), for: record)
    }

    /// Records and answers a request that reaches no device.
    /// - Parameter rejection: `nil` when a fault rule handles the request; the rule determines the answer then.
    @discardableResult
    func refuse(
        _ request: borrowing RequestBlock, _ admission: borrowing Admission, _ rejection: APNsRejection?,
        fault: FaultMark? = nil
    ) -> Answer {
        let own = admission.channel == nil ? nil : try? ChannelRules.requestID(request)
        let ownID = admission.messageID ?? own?.id ?? APNsID(of: request)
        let undelivered = RequestRecord.UndeliveredRequest(
            request: PackedRequest(packing: request, token: nil), apnsID: ownID ?? identifiers.nextID(),
            payloadByteCount: request.bodyByteCount)
        if let rejection {
            entry.refused.add(1, ordering: .relaxed)
            earlierReasons.insert(rejection.reason)
        }
        let record = gateway.requestLog.append(
            makeRecord(
                rejection.map { .refused(undelivered, $0) } ?? .handledByFault(undelivered), admission, fault))
        return Answer(
            status: rejection?.reason.status ?? 0, apnsID: undelivered.apnsID,
            echo: ownID == nil ? nil : own?.range ?? request[.apnsID],
            uniqueID: admission.environment == .sandbox && admission.channel == nil ? identifiers.nextID() : nil,
            body: rejection?.body(settings.spelling) ?? [],
            streamLimit: rejection != nil && settings.oneStreamAfterRejection ? announce(1) : nil, record: record,
            channel: admission.channel.map { ChannelHeaders(id: $0.sentID(in: request)) })
    }

    /// Sets the limit of concurrent streams; `nil` when it is unchanged.
    package func announce(_ limit: UInt32) -> UInt32? {
        guard limit != streamLimit else { return nil }
        streamLimit = limit
        return limit
    }

    /// Precedence: the port for channel management, CONNECT target, `:authority` or `host`, SNI, default.
    /// - Parameter authority: `nil` for the connection as a whole.
    func environment(authority: String?) -> APNsEnvironment {
        if let environment = entry.facts.traffic?.environment { return environment }
        let names = [entry.facts.connectTarget, authority, entry.facts.tls?.serverName].compactMap(\.self)
        return names.lazy.compactMap(EnvironmentRules.environment(ofHost:)).first ?? settings.defaultEnvironment
    }
}

extension APNsID {
    /// The `apns-id` of a request rejected before that header was checked.
    init?(of request: borrowing RequestBlock) {
        guard let range = request[.apnsID] else { return nil }
        self.init(request.bytes.span.bytes.extracting(range.bounds))
    }
}

/// The environment of each of Apple's host names.
package enum EnvironmentRules {
    package static let appleHosts: [(name: String, environment: APNsEnvironment)] = [
        ("api.push.apple.com", .production),
        ("api.sandbox.push.apple.com", .sandbox),
        ("api.development.push.apple.com", .sandbox),
        ("api-broadcast.push.apple.com", .production),
        ("api-broadcast.sandbox.push.apple.com", .sandbox),
        ("api-manage-broadcast.push.apple.com", .production),
        ("api-manage-broadcast.sandbox.push.apple.com", .sandbox),
    ]

    /// Whether the name is one of Apple's for channel management.
    static func isForChannels(_ host: String) -> Bool {
        environment(ofHost: host) != nil && host.lowercased().hasPrefix("api-manage-broadcast.")
    }

    /// `nil` when the name is not Apple's.
    /// - Parameter host: In any case, with or without a port.
    package static func environment(ofHost host: String) -> APNsEnvironment? {
        let name = host.prefix { $0 != ":" }.lowercased()
        let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
        return appleHosts.first { $0.name == bare }?.environment
    }
}
