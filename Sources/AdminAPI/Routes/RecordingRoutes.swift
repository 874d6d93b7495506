internal import APNs
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

extension AdminAPI {
    var recordingEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/recordings") { _ in
                let running = gateway.runningRecording.map {
                    RecordingAnswer(name: $0.name, startedAt: $0.startedAt.text)
                }
                return Response(RecordingsAnswer(recordings: running.map { [$0] } ?? []))
            },
            Endpoint(.post, "/recordings") { request in
                let body = try await request.object(accepting: ["name"])
                let name = body.value("name", Self.recordingName)
                try body.finish()
                let facts = information()
                let running: RunningRecording
                do throws(RecordingProblem) {
                    running = try gateway.startRecording(
                        name ?? "run", settings: facts.settings(), version: facts.version)
                } catch {
                    throw AdminError.conflict("\(error.message.prefix(1).uppercased())\(error.message.dropFirst()).")
                }
                return Response(
                    RecordingAnswer(name: running.name, startedAt: running.startedAt.text), status: .created)
            },
            Endpoint(.get, "/recordings/{name}") { request in
                let name = try request.parameter("name", Self.recordingName)
                guard gateway.runningRecording?.name == name, let run = RecordedRun(gateway, view) else {
                    throw AdminError.notFound(
                        "There is no recording '\(name)'. POST /api/v1/recordings starts one; one that was removed is gone."
                    )
                }
                return Response(json: .verbatim(run.bytes))
            },
            Endpoint(.delete, "/recordings/{name}") { request in
                let name = try request.parameter("name", Self.recordingName)
                return Response(RemovedAnswer(removed: gateway.removeRecording(name) ? 1 : 0))
            },
        ]
    }

    private static let recordingName = FieldFormat<String>.text(
        "1 to 64 letters, digits and . _ -", form: TextForm(pattern: "[A-Za-z0-9._-]{1,64}"),
        read: { text in
            let isValid = text.utf8.allSatisfy { byte in
                byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
                    || "._-".utf8.contains(byte)
            }
            return (1...64).contains(text.utf8.count) && isValid ? text : nil
        }, write: { $0 })
}

package struct RecordingsAnswer: APIShape {
    /// One or none.
    package var recordings: [RecordingAnswer]
}

package struct RecordingAnswer: APIShape {
    package var name: String
    package var startedAt: String
}
