internal import APNs
package import AdminAPI
internal import DeviceSimulator
internal import Gateway
package import JSON
package import PushcoteConfiguration

/// A recorded run, read from its file.
package struct RecordingFile: Sendable {
    let recording: Recording
    let file: String

    /// - Throws: `StartError` with the place and the remedy.
    package init(_ bytes: [UInt8], from file: String) throws(StartError) {
        guard bytes.count <= Recording.maximumByteCount else {
            throw StartError("\(file): larger than \(Recording.maximumByteCount >> 20) MiB; no recording is")
        }
        recording = try StartError.naming(file) { () throws(RecordingProblem) in
            try Recording(bytes, version: Version.text)
        }
        self.file = file
    }

    package var settings: JSONObject { recording.settings }

    /// Why the newest inputs are missing; nil when there are all.
    package var problem: String? { recording.problem }

    /// Such as `run: 14 inputs and 9 requests, 2026-11-21T07:00:00.000Z to 2026-11-21T09:00:00.000Z, Pushcote 0.1.0`.
    package var title: String {
        "\(recording.name): \(recording.inputs.count) inputs and \(recording.requests.count) requests, "
            + "\(recording.startedAt.text) to \(recording.endedAt.text), Pushcote \(recording.pushcote.version)"
    }

    /// Repeats the run without listening anywhere, and compares.
    package func check(with configuration: Configuration) throws(StartError) -> ReplayReport {
        let gateway = Gateway(
            replaying: recording, settings: configuration.gateway, limits: configuration.inbox,
            assumptions: configuration.assumptions)
        return try StartError.naming(file) { () throws(RecordingProblem) in
            try ReplayReport(
                recording, on: gateway, silencing: configuration.silencedLintRules, version: Version.text)
        }
    }
}

extension StartError {
    fileprivate static func naming<Result>(
        _ file: String, _ body: () throws(RecordingProblem) -> Result
    ) throws(StartError) -> Result {
        do throws(RecordingProblem) {
            return try body()
        } catch {
            throw StartError("\(file): \(error.message)")
        }
    }
}

extension PushcoteServer {
    /// Repeats a recorded run before the start. Then no extension runs, and no webhook is called.
    package mutating func replay(_ file: RecordingFile) throws(StartError) {
        _ = try StartError.naming(file.file) { [gateway = parts.gateway] () throws(RecordingProblem) in
            try gateway.replay(file.recording)
        }
        isReplay = true
    }

    /// The settings that decide, as they are now.
    func decisiveSettings() -> JSONObject {
        var current = configuration
        current.seed = seed
        current.gateway = parts.gateway.settings
        current.assumptions = parts.gateway.simulator.assumptions
        return current.decisive
    }
}

extension RunningGateway {
    /// False while another recording runs.
    package func startRecording(_ name: String) -> Bool {
        (try? server.parts.gateway.startRecording(name, settings: server.decisiveSettings(), version: Version.text))
            != nil
    }

    /// The recording's file; nil when nothing is recorded.
    package var recordedRun: [UInt8]? {
        RecordedRun(server.parts.gateway, silencing: server.configuration.silencedLintRules)?.bytes
    }
}
