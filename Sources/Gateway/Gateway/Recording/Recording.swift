internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import Fields
internal import FoundationEssentials
package import JSON
internal import TLSEngine
package import Time

/// A recorded run in the form of its file.
package struct Recording: Codable, Sendable {
    /// Of the file; a program reads only its own.
    package static let format = 1

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

    /// With members in order: equal recordings are equal bytes.
    package static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder.ofState
        encoder.outputFormatting.insert(.withoutEscapingSlashes)
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("a recording can be encoded: \(error)")
        }
    }

    package static func digest(of state: SimulatorSnapshot) -> String {
        SHA256.digest(bytes(of: state).span.bytes).hexadecimal
    }
}

extension Recording {
    package init(_ bytes: [UInt8], version: String) throws(RecordingProblem) {
        if case .invalid(let problem) = PayloadScan(bytes.span.bytes) {
            throw RecordingProblem("\(problem.message). Copy the file again, or record the run again")
        }
        struct Header: Decodable { var pushcote: Program }
        let (decoder, data) = (JSONDecoder.ofState, Data(bytes))
        guard let program = try? decoder.decode(Header.self, from: data).pushcote else {
            throw RecordingProblem(
                "no recording; `pushcote exec --record FILE` and GET /api/v1/recordings/{name} write recordings")
        }
        guard program.recording == Self.format else {
            throw RecordingProblem(
                "format \(program.recording), from Pushcote \(program.version); this is \(version), which reads format "
                    + "\(Self.format). Replay the file with \(program.version)")
        }
        do {
            self = try decoder.decode(Recording.self, from: data)
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
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}
