package import DeviceModel
internal import DeviceSimulator
internal import Fields
package import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Memory
internal import Time

extension AdminAPI {
    var recordingEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/recordings", .recordings, "The recording that runs, if any", id: "recordings",
                answer: "One recording or none."
            ) { _ in RecordingsAnswer(recordings: gateway.runningRecording.map { [RecordingAnswer($0)] } ?? []) },
            Endpoint(
                .post, "/recordings", .recordings, "Record from now on; one recording at a time (409)",
                id: "startRecording", body: .optional("NewRecording"),
                answer: "The recording.", status: .created, errors: [409]
            ) { request in
                let body = try await request.object(accepting: ["name"])
                let name = body.value("name", .name)
                try body.finish()
                let facts = information()
                do throws(RecordingProblem) {
                    let running = try await gateway.startRecording(
                        name ?? "run", settings: facts.settings(), version: facts.version)
                    return RecordingAnswer(running)
                } catch {
                    throw AdminError.conflict(error.description)
                }
            },
            Endpoint(
                .get, "/recordings/{name}", .recordings,
                "The run so far, as a file for `pushcote replay`; the recording continues", id: "recording",
                answers: [.ok("The recording.", "Recording")], errors: [404]
            ) { request in
                let name = try request.parameter("name")
                guard gateway.runningRecording?.name == name,
                    let run = await gateway.recordedRun(redacting: { redaction.redact($0, of: gateway) })
                else {
                    throw AdminError.notFound(
                        "There is no recording '\(name.prefix(200))'. POST /api/v1/recordings starts one.")
                }
                return Response(to: request.configuration) { write in
                    defer { FreedMemory.giveBack() }
                    try await Self.parts(of: run).write(write)
                }
            },
            Endpoint(
                .delete, "/recordings/{name}", .recordings, "End the recording and forget it", id: "deleteRecording",
                answers: [.removed]
            ) { request in Response(removed: gateway.removeRecording(try request.parameter("name"))) },
        ]
    }

    /// The recording's file; nil when nothing is recorded.
    package static func recordedRun(of gateway: Gateway) async -> [UInt8]? {
        let redaction = AnswerRedaction()
        let run = await gateway.recordedRun(redacting: { redaction.redact($0, of: gateway) })
        return run.map { redaction.redact(parts(of: $0).reduce(into: []) { $0 += $1 }, of: gateway) }
    }

    private static func parts(of run: (recording: Recording, end: Gateway)) -> JSONParts {
        run.recording.parts(events: events(on: run.end))
    }

    /// By device, in alphabetical order.
    fileprivate static func events(on gateway: Gateway) -> some Sequence<(name: String, value: [JSONValue])> {
        gateway.simulator.devicePage(limit: .max).devices.map(\.name).sorted().lazy.map { name in
            let page = gateway.simulator.events(EventQuery(device: name, limit: .max))
            return (name: name, value: page.items.map { JSONValue(EventAnswer($0)) })
        }
    }
}

struct RecordingsAnswer: APIShape {
    /// One or none.
    var recordings: [RecordingAnswer]

    static let shape = Shape(["recordings": .with("maxItems: 1")])
}

struct RecordingAnswer: APIShape {
    var name: String
    var startedAt: Instant

    static let shape = Shape(name: "RunningRecording", ["name": .ref("RecordingName")])

    init(_ recording: RunningRecording) { (name, startedAt) = (recording.name, recording.startedAt) }
}

/// The result of replaying a recorded run.
package struct ReplayReport: APIShape {
    package private(set) var differences: [String] = []
    /// How many answers were recomputed.
    package private(set) var answerCount: Int
    package private(set) var requestCount: Int
    /// Why events are not compared.
    package private(set) var problem: String?

    /// - Parameters:
    ///   - gateway: A new one.
    ///   - assumptions: The recorded ones, if this gateway has others.
    ///   - version: The program's; the state's bytes are compared only with the same version's.
    package init(
        _ recording: Recording, on gateway: Gateway, assuming assumptions: Assumptions? = nil, version: String
    ) throws(RecordingProblem) {
        let answers = try gateway.replay(recording)
        (answerCount, requestCount) = (answers.count { $0.isDecidedAgain }, recording.requests.count)
        problem = recording.problem
        for answer in answers {
            compare(JSONValue(answer.recorded), JSONValue(answer.replayed), "request \(answer.number)")
        }
        guard let events = recording.events else { return }
        let again = Dictionary(uniqueKeysWithValues: AdminAPI.events(on: gateway).map { ($0.name, $0.value) })
        for device in events.keys.sorted() {
            // In the form that reading gives: a whole number written as a fraction becomes an integer.
            let text = JSONTextEncoder.bytes(again[device] ?? [])
            let (old, new) = (events[device] ?? [], JSONValue(text.span.bytes)?.elements ?? [])
            for index in 0..<max(old.count, new.count) {
                let (old, new) = (index < old.count ? old[index] : .null, index < new.count ? new[index] : .null)
                let number = (old["number"] ?? new["number"])?.double ?? 0
                compare(old, new, "device \(device), event \(Int(number))")
            }
        }
        var state = gateway.simulator.snapshot()
        if let assumptions { state.name(gateway.simulator.assumptions, as: assumptions) }
        let isSame = recording.stateDigest == Recording.digest(of: state)
        if recording.pushcote.version == version, differences.isEmpty, !isSame {
            differences.append("state: not the recorded one, although answers and events are the same")
        }
    }

    private mutating func compare(_ recorded: JSONValue, _ replayed: JSONValue, _ place: String) {
        guard recorded != replayed else { return }
        guard case .object(let old) = recorded, case .object(let new) = replayed else {
            let texts = [recorded, replayed].map { $0 == .null ? "nothing" : String($0.text.prefix(100)) }
            return differences.append("\(place): recorded \(texts[0]), replayed \(texts[1])")
        }
        for name in Set(old.keys).union(new.keys).sorted() {
            compare(old[name] ?? .null, new[name] ?? .null, "\(place): \(name)")
        }
    }
}

extension RecordedAnswer: APIShape {}
