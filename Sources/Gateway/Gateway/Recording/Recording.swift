internal import APNs
package import DeviceSimulator
internal import Fields
internal import FoundationEssentials
package import JSON
internal import RequestWire
internal import TLSEngine
package import Time

/// A recorded run in the form of its file.
package struct Recording: Codable, Sendable {
    /// Of the file; a program reads only its own.
    package static let format = 2

    package struct Program: Codable, Sendable {
        package var recording: Int
        package var version: String
    }

    package var pushcote: Program
    package var name: String
    package var startedAt: Instant
    package var endedAt: Instant
    /// Settings that affect decisions; no paths, addresses or secrets.
    package var settings: JSONObject
    var connections: [ConnectionFacts]
    /// Before the first input.
    package internal(set) var state: SimulatorSnapshot
    package internal(set) var inputs: [RecordedInput]
    package internal(set) var requests: [RecordedRequest]
    /// The newest request removed from the log; nil when there is none.
    var clearedRequest: UInt64?
    /// Why the newest inputs are missing; nil when the recording is complete.
    package internal(set) var problem: String?
    /// By device, as in `GET /devices/{name}/events`; nil when inputs are missing.
    package var events: [String: [JSONValue]]?
    /// The SHA-256 of the state at the end, as the same version writes it; nil when inputs are missing.
    package internal(set) var stateDigest: String?

    /// Its file, with members in order: equal recordings are equal bytes.
    ///
    /// - Parameter events: By device, instead of `events`; used if nothing is missing.
    package func parts<Value: Encodable>(events: some Sequence<(name: String, value: Value)>) -> JSONParts {
        var short = self
        (short.state, short.inputs, short.requests) = (.empty, [], [])
        short.events = problem == nil ? [:] : nil
        return JSONParts(
            short,
            with: [
                "state": state.parts, "inputs": JSONParts(list: inputs),
                "requests": JSONParts(list: requests), "events": JSONParts(members: events),
            ])
    }

    package static func digest(
        of state: SimulatorSnapshot, redacting redact: ([UInt8]) -> [UInt8] = { $0 }
    ) -> String {
        withoutActuallyEscaping(redact) { SHA256.digest(of: state.parts.lazy.map($0)).hexadecimal }
    }
}

extension Recording {
    package init(_ bytes: [UInt8], version: String) throws(RecordingProblem) {
        struct Header: Decodable { var pushcote: Program }
        let program: Program
        do {
            program = try JSONTextDecoder.decode(Header.self, from: bytes).pushcote
        } catch let problem as JSONProblem {
            throw RecordingProblem("\(problem.message). Copy the file again, or record the run again")
        } catch {
            throw RecordingProblem(
                "no recording; `pushcote exec --record FILE` and GET /api/v1/recordings/{name} write recordings")
        }
        guard program.recording == Self.format else {
            throw RecordingProblem(
                "format \(program.recording), from Pushcote \(program.version); this is \(version), which reads format "
                    + "\(Self.format). Replay the file with \(program.version)")
        }
        do {
            self = try JSONTextDecoder.decode(Recording.self, from: bytes)
        } catch {
            let place = (error as? DecodingError)?.sentence ?? "it is damaged."
            throw RecordingProblem("\(place) Copy the file again, or record the run again")
        }
    }
}

/// Why a recording cannot be made, read or replayed.
package struct RecordingProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    init(_ description: String) { self.description = description }
}

extension DecodingError {
    /// The place and the problem, such as `'devices[0].name' is missing.`; nil for an unknown kind.
    package var sentence: String? {
        switch self {
        case .keyNotFound(let key, let context): "'\(FieldPath(codingPath: context.codingPath + [key]))' is missing."
        case .typeMismatch(let type, let context): "\(place(context)) must be \(words(type))."
        case .valueNotFound(let type, let context): "\(place(context)) must be \(words(type)), not null."
        case .dataCorrupted(let context): "\(place(context)) is wrong: \(context.debugDescription)"
        @unknown default: nil
        }
    }

    private func place(_ context: Context) -> String {
        context.codingPath.isEmpty ? "The document" : "'\(FieldPath(codingPath: context.codingPath))'"
    }

    private func words(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case let type as any FixedWidthInteger.Type: "a whole number from \(type.min) to \(type.max)"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

/// A request and its answer in a recording, without `authorization`.
package struct RecordedRequest: Codable, Sendable {
    package var number: UInt64
    /// How many inputs preceded it.
    var inputCount: Int
    var receivedAt: Instant
    var connection: UInt32
    var environment: APNsEnvironment
    var authentication: RequestRecord.Authentication
    var outcome: Outcome
    var fault: FaultMark?
    var delayedAnswer: DelayedAnswer?
    package var answer: RecordedAnswer

    /// As in `RequestRecord`; an accepted push is an input.
    enum Outcome: Codable {
        case accepted(notification: UInt64)
        case refused(
            RequestRecord.UndeliveredRequest, reason: APNsReason, timestamp: Instant?, diagnosis: Diagnosis)
        case served(RequestRecord.UndeliveredRequest, result: RequestRecord.ServedRequest)
        case handledByFault(RequestRecord.UndeliveredRequest)
        case oversized(apnsID: String)
    }

    init(_ record: RequestRecord, number: UInt64, inputCount: Int, _ spelling: APNsReason.Spelling) {
        (self.number, self.inputCount, receivedAt) = (number, inputCount, record.receivedAt)
        (connection, environment, authentication) = (record.connection, record.environment, record.authentication)
        (fault, delayedAnswer) = (record.fault, record.answer)
        answer = RecordedAnswer(record, spelling)
        outcome =
            switch record.outcome {
            case .accepted(_, _, let number): .accepted(notification: number)
            case .refused(let request, let rejection):
                .refused(
                    request, reason: rejection.reason, timestamp: rejection.timestamp, diagnosis: rejection.diagnosis)
            case .served(let request, let result): .served(request, result: result)
            case .handledByFault(let request): .handledByFault(request)
            case .oversized(let apnsID): .oversized(apnsID: apnsID.text(.upper))
            }
    }

    /// - Parameter push: nil for a push that came before the recording, or that no device received.
    func record(_ push: (push: Push, registration: Registration)?) -> RequestRecord {
        let outcome: RequestRecord.Outcome =
            switch self.outcome {
            case .accepted(let number):
                push.map { .accepted(push: $0.push, registration: $0.registration, notification: number) }
                    ?? .oversized(APNsID(recorded: ""))
            case .refused(let request, let reason, let timestamp, let diagnosis):
                .refused(request, APNsRejection(reason, diagnosis.code, diagnosis.message, timestamp: timestamp))
            case .served(let request, let result): .served(request, result)
            case .handledByFault(let request): .handledByFault(request)
            case .oversized(let apnsID): .oversized(APNsID(recorded: apnsID))
            }
        return RequestRecord(
            receivedAt: receivedAt, connection: connection, environment: environment, authentication: authentication,
            outcome: outcome, fault: fault, answer: delayedAnswer)
    }
}

package struct RecordedAnswer: Codable, Sendable, Hashable {
    /// nil if there was no answer.
    var status: UInt16?
    /// Empty unless the gateway itself rejected the request.
    var body: String

    init(status: UInt16?, _ rejection: APNsRejection?, _ spelling: APNsReason.Spelling) {
        self.status = status
        body = rejection.map { String(decoding: $0.body(spelling), as: UTF8.self) } ?? ""
    }

    init(_ record: RequestRecord, _ spelling: APNsReason.Spelling) {
        var rejection: APNsRejection?
        if case .refused(_, let reason) = record.outcome, record.fault == nil { rejection = reason }
        self.init(status: record.status, rejection, spelling)
    }
}

/// Headers as text, and the payload as received.
extension RequestRecord.UndeliveredRequest: Codable {
    private struct Coded: Codable {
        var headers: [[String]]
        var payload: Data
        var payloadByteCount: Int
        var apnsID: String
    }

    package init(from decoder: any Decoder) throws {
        let coded = try Coded(from: decoder)
        let fields = coded.headers.map { (name: $0.first ?? "", value: $0.last ?? "") }
        let block = RequestBlock(fields: fields, body: Array(coded.payload))
        self.init(
            request: PackedRequest(packing: block, token: nil), apnsID: APNsID(recorded: coded.apnsID),
            payloadByteCount: coded.payloadByteCount)
    }

    package func encode(to encoder: any Encoder) throws {
        try Coded(
            headers: request.fields(token: nil).map { [$0.name, $0.value] }, payload: Data(request.payload),
            payloadByteCount: payloadByteCount, apnsID: apnsID.text(.upper)
        ).encode(to: encoder)
    }
}

extension APNsID {
    /// All zeros for a text that is no UUID.
    fileprivate init(recorded text: String) {
        self = APNsID(Array(text.utf8).span.bytes) ?? APNsID(high: 0, low: 0)
    }
}
