package import DeviceSimulator
internal import Fields
internal import FoundationEssentials
package import JSON
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
        let encoder = JSONEncoder.ofFiles
        return JSONParts(
            short,
            with: [
                "state": state.parts, "inputs": JSONParts(list: inputs, encoder),
                "requests": JSONParts(list: requests, encoder), "events": JSONParts(members: events, encoder),
            ], encoder)
    }

    package static func digest(of state: SimulatorSnapshot) -> String { SHA256.digest(of: state.parts).hexadecimal }
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
