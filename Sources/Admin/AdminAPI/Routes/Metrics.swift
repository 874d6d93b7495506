internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import Time

/// Prometheus text format 0.0.4.
struct Metrics {
    private(set) var text = ""

    var response: Response { Response(bytes: Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8") }

    /// For a gateway that does not own its house.
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
