internal import DeviceSimulator
package import JSON
internal import Synchronization
package import Time

/// The start of an ongoing recording.
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
    private(set) var requests: [(record: RequestRecord, number: UInt64, inputCount: Int)] = []
    var clearedRequest: UInt64?
    private(set) var problem: String?

    init(position: @escaping @Sendable () -> Int) { self.position = position }

    mutating func append(_ record: RequestRecord, number: UInt64) {
        guard requests.count < InputTape.capacity else {
            problem = "it is full after \(requests.count) requests; record a shorter run"
            return
        }
        requests.append((record, number, position()))
    }

    mutating func record(_ answer: DelayedAnswer, for number: UInt64) {
        guard let first = requests.first?.number, number >= first, number - first < requests.count else { return }
        requests[Int(number - first)].record.answer = answer
    }
}

extension Gateway {
    package var runningRecording: RunningRecording? { recording.withLock { $0 } }

    /// - Parameter settings: Those that affect decisions, by name.
    @discardableResult
    package func startRecording(
        _ name: String, settings: JSONObject, version: String
    ) async throws(RecordingProblem) -> RunningRecording {
        await runDue()
        return try recording.withLock { recording throws(RecordingProblem) in
            if let recording {
                throw RecordingProblem(
                    "Recording '\(recording.name)' runs since \(recording.startedAt.text), and there is one at a time; "
                        + "end it with DELETE /api/v1/recordings/{name}.")
            }
            let running = RunningRecording(
                name: name, startedAt: now(), version: version, settings: settings, state: simulator.beginTape())
            requestLog.tape = RequestTape { [simulator] in simulator.tapePosition }
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

    /// The run so far, and a separate gateway in its final state, from which the caller builds `events`; nil when nothing is
    /// recorded.
    ///
    /// - Parameter redact: What the reader's copy of the file undergoes: a replay of it must find its state's digest.
    package func recordedRun(
        redacting redact: ([UInt8]) -> [UInt8] = { $0 }
    ) async -> (recording: Recording, end: Gateway)? {
        simulator.finishBroadcasts()
        await runDue()
        // Requests first, so that their pushes are among the inputs.
        guard let running = runningRecording, let requests = requestLog.tape, let tape = simulator.readTape() else {
            return nil
        }
        let spelling = settings.spelling
        var recording = Recording(
            pushcote: .init(recording: Recording.format, version: running.version), name: running.name,
            startedAt: running.startedAt, endedAt: now(), settings: running.settings,
            connections: connectionLog.snapshots.map(\.facts), state: running.state, inputs: tape.inputs,
            requests: requests.requests.map {
                RecordedRequest($0.record, number: $0.number, inputCount: $0.inputCount, spelling)
            },
            clearedRequest: requests.clearedRequest, problem: tape.problem ?? requests.problem)
        let end = Gateway(
            settings: settings, simulator: DeviceSimulator(limits: simulator.limits, deriveToken: Gateway.deriveToken),
            seed: 0, requestCapacity: 1, tokenCapacity: 1, now: now)
        if recording.problem == nil, (try? end.simulator.load(tape.state)) != nil {
            recording.stateDigest = Recording.digest(of: tape.state, redacting: redact)
        }
        return (recording, end)
    }
}
