package import APNs
package import DeviceModel
package import DeviceSimulator
package import JSON
internal import Synchronization

/// The beginning of a recording that is being made.
package struct RunningRecording: Sendable {
    package let name: String
    package let startedAt: Instant
    fileprivate let version: String
    fileprivate let settings: JSONObject
    fileprivate let state: SimulatorSnapshot
}

/// The requests since a recording began.
struct RequestTape {
    /// How many inputs there are.
    let position: @Sendable () -> Int
    let limit: Int
    private(set) var requests: [(record: RequestRecord, inputCount: Int)] = []
    var clearedRequest: UInt64?
    private(set) var isFull = false

    init(limit: Int, position: @escaping @Sendable () -> Int) {
        self.limit = limit
        self.position = position
    }

    mutating func append(_ record: RequestRecord, number: UInt64) {
        guard requests.count < limit else {
            isFull = true
            return
        }
        var record = record
        record.number = number
        requests.append((record, position()))
    }

    mutating func record(_ answer: DelayedAnswer, for number: UInt64) {
        guard let first = requests.first?.record.number, number >= first, number - first < requests.count else {
            return
        }
        requests[Int(number - first)].record.answer = answer
    }
}

extension Recording {
    /// The newest notification before the run.
    package var lastNotification: UInt64 { state.lastNotification }
}

extension Gateway {
    /// A gateway that nobody uses, for a replay.
    package convenience init(
        replaying recording: Recording, settings: GatewaySettings, limits: InboxLimits, assumptions: Assumptions
    ) {
        let simulator = DeviceSimulator(limits: limits, assumptions: assumptions, deriveToken: Gateway.deriveToken)
        self.init(
            settings: settings, simulator: simulator, seed: 0, requestCapacity: recording.requests.count,
            tokenCapacity: 1, now: { [end = recording.endedAt] in end })
    }

    package var runningRecording: RunningRecording? { recording.withLock { $0 } }

    /// - Parameter settings: The settings that decide, by name.
    /// - Throws: `RecordingProblem` while another recording runs.
    @discardableResult
    package func startRecording(
        _ name: String, settings: JSONObject, version: String, limits: RecordingLimits = RecordingLimits()
    ) throws(RecordingProblem) -> RunningRecording {
        runDue()
        return try recording.withLock { recording throws(RecordingProblem) in
            if let recording {
                throw RecordingProblem(
                    "recording '\(recording.name)' runs since \(recording.startedAt.text); there is one at a time. End it "
                        + "with DELETE /api/v1/recordings/\(recording.name)")
            }
            let state = simulator.beginTape(limits)
            requestLog.tape = RequestTape(limit: limits.count) { [simulator] in simulator.tapePosition }
            let running = RunningRecording(
                name: name, startedAt: now(), version: version, settings: settings, state: state)
            recording = running
            return running
        }
    }

    /// Ends the recording and forgets it; false when there is none of this name.
    package func removeRecording(_ name: String) -> Bool {
        recording.withLock { recording in
            guard recording?.name == name else { return false }
            recording = nil
            requestLog.tape = nil
            simulator.endTape()
            return true
        }
    }

    /// The run so far, without its outcome, and the state at its end; nil when nothing is recorded.
    package func recordedRun() -> (recording: Recording, end: SimulatorSnapshot)? {
        simulator.finishBroadcasts()
        runDue()
        // First the requests, so that their pushes are among the inputs.
        guard let running = runningRecording, let requests = requestLog.tape, let tape = simulator.readTape() else {
            return nil
        }
        let spelling = settings.spelling
        let full = requests.isFull ? "it is full: it has the first \(requests.limit) requests" : nil
        let recording = Recording(
            pushcote: .init(recording: Recording.format, version: running.version), name: running.name,
            startedAt: running.startedAt, endedAt: now(), settings: running.settings,
            connections: connectionLog.snapshots.map(\.facts), state: running.state, inputs: tape.inputs,
            requests: requests.requests.map { RecordedRequest($0.record, inputCount: $0.inputCount, spelling) },
            clearedRequest: requests.clearedRequest, problem: tape.problem ?? full)
        return (recording, tape.state)
    }
}
