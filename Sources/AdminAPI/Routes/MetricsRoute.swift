internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// Numbers for Prometheus.
struct MetricsRoute: Sendable {
    let gateway: Gateway
    let information: @Sendable () -> ServerInformation

    var endpoint: Endpoint {
        Endpoint(.get, "/metrics") { _ in
            let metrics = Metrics(gateway: gateway, information: information())
            return Response(bytes: metrics.bytes, type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }
}

/// The gateway in numbers, as Prometheus reads them (text format 0.0.4).
struct Metrics {
    private var text = ""

    init(gateway: Gateway, information: ServerInformation) {
        let counters = gateway.simulator.counters
        let requests = gateway.requestCounts
        family("pushcote_info", "gauge", "The program's version and profile.")
        sample("pushcote_info", [("version", information.version), ("profile", information.profile)], "1")
        family("pushcote_requests_total", "counter", "Provider requests by answer.")
        sample("pushcote_requests_total", [("status", "200"), ("reason", "")], "\(requests.accepted)")
        sample(
            "pushcote_requests_total", [("status", "\(RequestRecord.oversizedStatus)"), ("reason", "")],
            "\(requests.oversized)")
        for (reason, count) in requests.refused.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            sample(
                "pushcote_requests_total", [("status", "\(reason.status)"), ("reason", reason.rawValue)], "\(count)")
        }
        single(
            "pushcote_requests_taken_total", "counter",
            "Requests handled by a fault rule, neither accepted nor rejected.", requests.taken)
        family("pushcote_faults_fired_total", "counter", "How often each fault rule fired since it was set.")
        for status in gateway.faults.statuses {
            sample("pushcote_faults_fired_total", [("fault", status.rule.name)], "\(status.fired)")
        }
        single(
            "pushcote_requests_dropped_total", "counter", "Requests evicted from the log.", requests.dropped
        )
        let counts = counters.counts
        family("pushcote_notifications_received_total", "counter", "Notifications that devices received, by state.")
        sample("pushcote_notifications_received_total", [("state", "delivered")], "\(counts.delivered)")
        sample("pushcote_notifications_received_total", [("state", "discarded")], "\(counts.discarded)")
        single(
            "pushcote_notifications_dropped_total", "counter", "Notifications evicted from full inboxes.",
            counts.dropped)
        single("pushcote_notifications", "gauge", "Notifications in inboxes.", counters.notifications)
        single("pushcote_devices", "gauge", "Devices.", counters.devices)
        single(
            "pushcote_registrations", "gauge", "Device tokens issued, including former ones.", counters.registrations)
        single("pushcote_apps", "gauge", "Apps.", counters.apps)
        single("pushcote_waits", "gauge", "Open long polls.", counters.waits)
        single("pushcote_open_connections", "gauge", "Providers' open connections.", gateway.openConnectionCount)
        single(
            "pushcote_refused_streams_total", "counter",
            "Streams above the announced limit, refused with REFUSED_STREAM.", gateway.refusedStreamCount)
        family("pushcote_limits_reached_total", "counter", "Connections and streams that a limit ended, by class.")
        for reached in information.limitsReached {
            sample("pushcote_limits_reached_total", [("limit", reached.limit)], "\(reached.count)")
        }
        if let journal = gateway.keeper?.figures { add(journal) }
        family("process_start_time_seconds", "gauge", "When the process started, in seconds since 1970.")
        sample("process_start_time_seconds", [], "\(information.startedAt.seconds)")
    }

    private mutating func add(_ journal: JournalFigures) {
        single(
            "pushcote_journal_commits_total", "counter", "Batches of inputs written to the journal.", journal.commits)
        single(
            "pushcote_journal_failed_commits_total", "counter",
            "Batches that could not be written and were rolled back.",
            journal.failedCommits)
        single("pushcote_journal_inputs_total", "counter", "Inputs written to the journal.", journal.inputs)
        single(
            "pushcote_journal_replayed_inputs", "gauge", "Inputs replayed from the journal at the start.",
            journal.replayed)
        single("pushcote_journal_lag", "gauge", "Inputs applied but not written yet.", journal.lag)
        single("pushcote_journal_bytes", "gauge", "Size of the journal on disk.", journal.byteCount)
        single("pushcote_journal_checkpoints_total", "counter", "Checkpoints written.", journal.checkpoints)
        single(
            "pushcote_journal_failed_checkpoints_total", "counter", "Checkpoints that could not be written.",
            journal.failedCheckpoints)
        single(
            "pushcote_journal_failing", "gauge", "1 while the journal cannot be written and pushes are rejected.",
            journal.isFailing ? 1 : 0)
    }

    /// The answer's body.
    var bytes: [UInt8] { Array(text.utf8) }

    private mutating func single(_ name: String, _ type: String, _ help: String, _ value: some BinaryInteger) {
        family(name, type, help)
        sample(name, [], "\(value)")
    }

    private mutating func family(_ name: String, _ type: String, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            switch character {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            default: text.append(character)
            }
        }
    }
}
