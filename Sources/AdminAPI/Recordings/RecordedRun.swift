internal import APNs
internal import DeviceModel
internal import DeviceSimulator
package import Gateway
internal import JSON

/// A recorded run with its outcome, ready to be saved.
package struct RecordedRun {
    private var recording: Recording

    package var bytes: [UInt8] { recording.bytes }

    /// nil when nothing is recorded.
    package init?(_ gateway: Gateway, silencing silenced: [String] = []) {
        self.init(gateway, NotificationView(gateway: gateway, silenced: Set(silenced)))
    }

    init?(_ gateway: Gateway, _ view: NotificationView) {
        guard let (recording, end) = gateway.recordedRun() else { return nil }
        self.recording = recording
        // Events are made from the state on request, and the gateway goes on: its state at the end, on its own.
        let still = Gateway(
            replaying: recording, settings: gateway.settings, limits: gateway.simulator.limits,
            assumptions: gateway.simulator.assumptions)
        guard recording.problem == nil, (try? still.restore(recording, end: end)) != nil else { return }
        self.recording.outcome = Recording.Outcome(
            of: recording, on: NotificationView(gateway: still, silenced: view.silenced),
            stateDigest: Recording.digest(of: end))
    }
}

extension RecordedAnswer: APIShape {}

extension Recording.Outcome {
    init(of recording: Recording, on view: NotificationView, stateDigest: String) {
        let simulator = view.gateway.simulator
        var notifications: [JSONValue] = []
        var query = NotificationQuery(since: recording.lastNotification, limit: 1000)
        while true {
            let page = simulator.notifications(query)
            notifications += page.items.map { JSONValue(view.summary($0)) }
            guard page.hasMore else { break }
            query.since = page.next
        }
        var events: [String: [JSONValue]] = [:]
        for device in simulator.devicePage(limit: .max).devices {
            let page = simulator.events(EventQuery(device: device.name, limit: .max))
            events[device.name] = page.items.map { JSONValue(EventAnswer($0)) }
        }
        self.init(notifications: notifications, events: events, stateDigest: stateDigest)
    }
}

/// A recorded run, repeated and compared.
package struct ReplayReport {
    /// How many answers were compared, of how many.
    package private(set) var answerCounts: (compared: Int, all: Int)
    /// In the order of the run: answers, notifications, events.
    package private(set) var differences: [String] = []

    /// - Parameters:
    ///   - gateway: Has seen nothing.
    ///   - version: The program's; the state's bytes are compared only with the same version's.
    package init(
        _ recording: Recording, on gateway: Gateway, silencing silenced: [String], version: String
    ) throws(RecordingProblem) {
        let answers = try gateway.replay(recording)
        answerCounts = (answers.comparedCount, recording.requests.count)
        for (number, recorded, replayed) in answers.differing {
            compare(JSONValue(recorded), JSONValue(replayed), "request \(number)")
        }
        guard let outcome = recording.outcome else { return }
        let digest = Recording.digest(of: gateway.simulator.snapshot())
        let again = Recording.Outcome(
            of: recording, on: NotificationView(gateway: gateway, silenced: Set(silenced)), stateDigest: digest)
        let (old, new) = (outcome.json, again.json)
        compare(old["notifications"], new["notifications"], "notification", by: "id")
        for device in Set(outcome.events.keys).union(again.events.keys).sorted() {
            compare(old["events"]?[device], new["events"]?[device], "device \(device), event", by: "number")
        }
        if recording.pushcote.version == version, digest != outcome.stateDigest, differences.isEmpty {
            differences.append(
                "state: recorded \(outcome.stateDigest.prefix(12))…, replayed \(digest.prefix(12))… (SHA-256)")
        }
    }

    /// Compares rows, each named by its number in `member`.
    private mutating func compare(_ recorded: JSONValue?, _ replayed: JSONValue?, _ noun: String, by member: String) {
        func numbered(_ list: JSONValue?) -> [Int: JSONValue] {
            guard case .array(let rows) = list else { return [:] }
            return Dictionary(rows.map { row in (row[member]?.double.flatMap { Int(exactly: $0) } ?? 0, row) }) { $1 }
        }
        let (old, new) = (numbered(recorded), numbered(replayed))
        for number in Set(old.keys).union(new.keys).sorted() {
            compare(old[number] ?? .null, new[number] ?? .null, "\(noun) \(number)")
        }
    }

    private mutating func compare(_ recorded: JSONValue, _ replayed: JSONValue, _ place: String) {
        guard recorded != replayed else { return }
        guard case .object(let old) = recorded, case .object(let new) = replayed else {
            differences.append("\(place): recorded \(Self.shown(recorded)), replayed \(Self.shown(replayed))")
            return
        }
        for name in Set(old.keys).union(new.keys).sorted() {
            compare(old[name] ?? .null, new[name] ?? .null, "\(place): \(name)")
        }
    }

    private static func shown(_ json: JSONValue) -> String {
        let text = json == .null ? "nothing" : json.text
        return text.count > 100 ? text.prefix(99) + "…" : text
    }
}
