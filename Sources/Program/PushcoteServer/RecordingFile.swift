package import AdminAPI
internal import DeviceSimulator
internal import Gateway
package import JSON
package import PushcoteConfiguration
internal import Time

package struct RecordingFile: Sendable {
    let recording: Recording
    let name: String

    /// - Throws: `StartError` with the place and the remedy.
    package init(_ bytes: [UInt8], name: String) throws(StartError) {
        self.name = name
        recording = try StartError.naming(name) { () throws(RecordingProblem) in
            try Recording(bytes, version: Version.text)
        }
    }

    package var settings: JSONObject { recording.settings }

    /// Such as `run: 14 inputs and 9 requests, 2026-11-21T07:00:00.000Z to 2026-11-21T09:00:00.000Z, Pushcote 0.1.0`.
    package var title: String {
        "\(recording.name): \(recording.inputs.count) inputs and \(recording.requests.count) requests, "
            + "\(recording.startedAt.text) to \(recording.endedAt.text), Pushcote \(recording.pushcote.version)"
            + (recording.problem.map { "\nIncomplete: \($0)." } ?? "")
    }

    /// Replays the run without opening listeners, and compares.
    package func check(_ configuration: Configuration) throws(StartError) -> ReplayReport {
        let gateway = Gateway(
            settings: configuration.gateway,
            simulator: DeviceSimulator(
                limits: configuration.inbox, assumptions: configuration.assumptions, deriveToken: Gateway.deriveToken),
            seed: 0, requestCapacity: 1, tokenCapacity: 1, now: { [end = recording.endedAt] in end })
        var recorded = EffectiveConfiguration(profile: configuration.profile)
        recorded.apply(recorded: recording.settings)
        let assumptions = recorded.configuration.assumptions
        return try StartError.naming(name) { () throws(RecordingProblem) in
            try ReplayReport(recording, on: gateway, assuming: assumptions, version: Version.text)
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
            throw StartError("\(file): \(error)")
        }
    }
}

extension PushcoteServer {
    /// Replays a recorded run before start-up. After that no extension runs and no webhook is called.
    package mutating func replay(_ file: RecordingFile) throws(StartError) {
        let gateway = parts.gateway
        _ = try StartError.naming(file.name) { () throws(RecordingProblem) in try gateway.replay(file.recording) }
        isReplay = true
    }

    /// The present settings that affect decisions.
    func decisiveSettings() -> JSONObject {
        var current = configuration
        current.seed = seed
        current.gateway = parts.gateway.settings
        current.assumptions = parts.gateway.simulator.assumptions
        return current.decisive
    }
}

extension RunningGateway {
    package func startRecording(_ name: String) async {
        // A new gateway has no other recording.
        _ = try? await server.parts.gateway.startRecording(
            name, settings: server.decisiveSettings(), version: Version.text)
    }

    /// The recording's file; nil when nothing is recorded.
    package func recordedRun() async -> [UInt8]? { await AdminAPI.recordedRun(of: server.parts.gateway) }
}
