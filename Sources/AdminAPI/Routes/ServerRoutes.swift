internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON

extension AdminAPI {
    var healthEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/livez", isOpen: true) { _ in Response(json: ["status": .string("ok")]) },
            Endpoint(.get, "/readyz", query: ["of"], isOpen: true) { request in
                let concernsOwner = try request.query.choice("of", of: ["owner"]) { $0 } != nil
                guard isReady() else {
                    return Response(json: ["status": .string("starting")], status: .serviceUnavailable)
                }
                // An owner that cannot write must get the pushes, to answer them 503.
                if !concernsOwner, let problem = gateway.keeper?.problem?.description ?? gateway.keeper?.suspension {
                    return Response(
                        json: ["status": .string("journal"), "reason": .string(problem)], status: .serviceUnavailable)
                }
                return Response(json: ["status": .string("ready")])
            },
        ]
    }

    /// Ends this gateway as its house's owner; a standby takes over.
    var handoverEndpoint: Endpoint {
        Endpoint(.post, "/handover") { _ in
            guard let handOver else {
                throw AdminError.conflict("Only a gateway with journal: postgres has standbys that could take over.")
            }
            handOver()
            return Response(json: ["status": .string("leaving")])
        }
    }

    var metricsEndpoint: Endpoint {
        Endpoint(.get, "/metrics") { _ in
            Metrics(gateway: gateway, information: information(), streamCount: feed.readerCount).response
        }
    }

    var documentEndpoints: [Endpoint] {
        AdminDocument.allCases.map { document in
            Endpoint(.get, document.rawValue, isOpen: true) { _ in
                let type = document == .trustStore ? "application/x-pkcs12" : "application/x-pem-file"
                return Response(bytes: documents(document), type: type)
            }
        } + [
            Endpoint(.get, "/openapi.yaml") { _ in
                Response(bytes: Array(OpenAPIDocument.text.utf8), type: "application/yaml")
            }
        ]
    }

    var informationEndpoint: Endpoint {
        Endpoint(.get, "/info") { _ in
            Response(InformationAnswer(information(), of: gateway))
        }
    }
}

package struct InformationAnswer: APIShape {
    package var version: String
    package var seed: UInt64
    package var profile: String
    package var startedAt: String
    package var environment: String
    package var authMode: String
    package var addresses: ServerInformation.Addresses
    package var certificate: Certificate?
    package var demonstrationKey: DemonstrationKey?
    package var counts: Counts

    package struct Certificate: APIShape {
        package var caFingerprint: String
        package var caFile: String
        package var notAfter: String
    }

    package struct DemonstrationKey: APIShape {
        package var keyId: String
        package var teamId: String
        package var file: String
    }

    package struct Counts: APIShape {
        package var devices: Int
        package var apps: Int
        package var notifications: Int
        package var requests: UInt64
        package var connections: Int
        package var keys: Int
    }

    init(_ information: ServerInformation, of gateway: Gateway) {
        let counters = gateway.simulator.counters
        version = information.version
        seed = gateway.seed
        profile = information.profile
        startedAt = information.startedAt.text
        environment = gateway.settings.defaultEnvironment.rawValue
        authMode = gateway.settings.authenticationMode.rawValue
        addresses = information.addresses
        certificate = information.certificate.map {
            Certificate(caFingerprint: $0.caFingerprint, caFile: $0.caFile, notAfter: $0.notAfter.text)
        }
        demonstrationKey = information.demonstrationKey.map {
            DemonstrationKey(keyId: $0.keyID, teamId: $0.teamID, file: $0.file)
        }
        counts = Counts(
            devices: counters.devices, apps: counters.apps, notifications: counters.notifications,
            requests: gateway.requestLog.counts.total, connections: gateway.connectionLog.openCount,
            keys: gateway.keys.keys.count)
    }
}

/// Prometheus text format 0.0.4.
struct Metrics {
    private(set) var text = ""

    var response: Response { Response(bytes: Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8") }

    /// Those of a gateway that does not own its house.
    static var standby: Metrics {
        var metrics = Metrics()
        metrics.addRole(isOwner: false)
        return metrics
    }

    private init() {}

    init(gateway: Gateway, information: ServerInformation, streamCount: Int) {
        let counters = gateway.simulator.counters
        let requests = gateway.requestLog.counts
        family("pushcote_info", "gauge", "The program's version and profile.")
        sample("pushcote_info", [("version", information.version), ("profile", information.profile)], 1)
        family("pushcote_requests_total", "counter", "Provider requests by answer.")
        sample("pushcote_requests_total", [("status", "200"), ("reason", "")], requests.accepted)
        sample(
            "pushcote_requests_total", [("status", "\(RequestRecord.oversizedStatus)"), ("reason", "")],
            requests.oversized)
        for (reason, count) in requests.refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            sample("pushcote_requests_total", [("status", "\(reason.status)"), ("reason", reason.rawValue)], count)
        }
        counter(
            "pushcote_requests_taken_total", "Requests handled by a fault rule, neither accepted nor rejected.",
            requests.handledByFault)
        family("pushcote_faults_fired_total", "counter", "How often each fault rule fired since it was set.")
        for status in gateway.faults.statuses {
            sample("pushcote_faults_fired_total", [("fault", status.rule.name)], status.fired)
        }
        if let relayed = gateway.requestLog.relayCounts {
            family("pushcote_relayed_total", "counter", "Relayed pushes by outcome.")
            for outcome in RelayResult.Outcome.allCases where outcome != .waiting {
                sample("pushcote_relayed_total", [("outcome", outcome.rawValue)], relayed[outcome] ?? 0)
            }
        }
        counter("pushcote_requests_dropped_total", "Requests evicted from the log.", requests.dropped)
        let counts = counters.counts
        family("pushcote_notifications_received_total", "counter", "Notifications that devices received, by state.")
        sample("pushcote_notifications_received_total", [("state", "delivered")], counts.delivered)
        sample("pushcote_notifications_received_total", [("state", "discarded")], counts.discarded)
        counter("pushcote_notifications_dropped_total", "Notifications evicted from full inboxes.", counts.dropped)
        gauge("pushcote_notifications", "Notifications in inboxes.", counters.notifications)
        gauge("pushcote_devices", "Devices.", counters.devices)
        gauge("pushcote_registrations", "Device tokens issued, including former ones.", counters.registrations)
        gauge("pushcote_apps", "Apps.", counters.apps)
        gauge("pushcote_waits", "Open long polls.", gateway.waitCount)
        gauge("pushcote_event_streams", "Open event streams.", streamCount)
        gauge("pushcote_open_connections", "Providers' open connections.", gateway.connectionLog.openCount)
        counter(
            "pushcote_refused_streams_total", "Streams above the announced limit, refused with REFUSED_STREAM.",
            gateway.connectionLog.refusedStreamCount)
        family("pushcote_limits_reached_total", "counter", "Connections and streams that a limit ended, by class.")
        for reached in information.limitsReached {
            sample("pushcote_limits_reached_total", [("limit", reached.limit)], reached.count)
        }
        if let journal = gateway.keeper?.figures { add(journal) }
        family("process_start_time_seconds", "gauge", "When the process started, in seconds since 1970.")
        sample("process_start_time_seconds", [], information.startedAt.seconds)
    }

    private mutating func add(_ journal: JournalFigures) {
        counter("pushcote_journal_commits_total", "Batches of inputs written to the journal.", journal.commits)
        counter(
            "pushcote_journal_failed_commits_total", "Batches that could not be written and were rolled back.",
            journal.failedCommits)
        counter("pushcote_journal_inputs_total", "Inputs written to the journal.", journal.inputs)
        gauge("pushcote_journal_replayed_inputs", "Inputs replayed from the journal at the start.", journal.replayed)
        gauge("pushcote_journal_lag", "Inputs applied but not written yet.", journal.lag)
        gauge("pushcote_journal_bytes", "Size of the journal on disk.", journal.byteCount)
        counter("pushcote_journal_checkpoints_total", "Checkpoints written.", journal.checkpoints)
        counter(
            "pushcote_journal_failed_checkpoints_total", "Checkpoints that could not be written.",
            journal.failedCheckpoints)
        gauge(
            "pushcote_journal_failing", "1 while the journal cannot be written and pushes are rejected.",
            journal.isFailing ? 1 : 0)
        guard let ownership = journal.ownership else { return }
        addRole(isOwner: ownership.isHeld)
        gauge("pushcote_house_epoch", "How often a gateway has become the owner of the house.", ownership.epoch)
        gauge(
            "pushcote_house_quorum", "1 if commits wait for a synchronous standby of the database.",
            ownership.hasQuorum ? 1 : 0)
    }

    private mutating func addRole(isOwner: Bool) {
        gauge("pushcote_house_owner", "1 for the owner of the house, 0 for its standbys.", isOwner ? 1 : 0)
    }

    private mutating func counter(_ name: String, _ help: String, _ value: some BinaryInteger) {
        family(name, "counter", help)
        sample(name, [], value)
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
        family(name, "gauge", help)
        sample(name, [], value)
    }

    private mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(
        _ name: String, _ labels: [(name: String, value: String)], _ value: some CustomStringConvertible
    ) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
    }
}
