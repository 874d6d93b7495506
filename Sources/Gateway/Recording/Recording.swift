package import APNs
internal import DeviceModel
package import DeviceSimulator
internal import FoundationEssentials
package import JSON
internal import TLSEngine

/// A recorded run, as its file has it.
package struct Recording: Codable, Sendable {
    /// Of the file; a program reads only its own.
    package static let format = 1
    /// As for `PUT /state`.
    package static let maximumByteCount = 256 << 20

    package struct Program: Codable, Sendable {
        package var recording: Int
        package var version: String
    }

    /// What the gateway shows at the end, to compare a replay with.
    package struct Outcome: Codable, Sendable {
        /// As in `GET /notifications`, of those that came during the run.
        package var notifications: [JSONValue]
        /// As in `GET /devices/{name}/events`.
        package var events: [String: [JSONValue]]
        /// The SHA-256 of the state, as the same version writes it.
        package var stateDigest: String

        /// As it is read again: a whole number that was a fraction is one.
        package var json: JSONValue { JSONValue(Recording.bytes(of: self).span.bytes) ?? .null }

        package init(notifications: [JSONValue], events: [String: [JSONValue]], stateDigest: String) {
            (self.notifications, self.events, self.stateDigest) = (notifications, events, stateDigest)
        }
    }

    package var pushcote: Program
    package var name: String
    package var startedAt: Instant
    package var endedAt: Instant
    /// The settings that decide, without paths, addresses and secrets.
    package var settings: JSONObject
    package var connections: [ConnectionFacts]
    /// Before the first input.
    package var state: SimulatorSnapshot
    package var inputs: [RecordedInput]
    package var requests: [RecordedRequest]
    /// The newest request removed from the log; nil when there is none.
    package var clearedRequest: UInt64?
    /// Why the newest inputs are missing; nil when the recording is complete.
    package var problem: String?
    /// nil while it is computed, and when inputs are missing.
    package var outcome: Outcome?
}

extension Recording {
    /// With members in order, so that equal recordings are equal bytes.
    package var bytes: [UInt8] { Self.bytes(of: self) }

    package static func digest(of state: SimulatorSnapshot) -> String {
        SHA256.digest(bytes(of: state).span.bytes).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    fileprivate static func bytes(of value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Assumptions may be any number.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return Array(try encoder.encode(value))
        } catch {
            preconditionFailure("a recording can be encoded: \(error)")
        }
    }

    /// - Throws: `RecordingProblem` with the place and the remedy.
    package init(_ bytes: [UInt8], version: String) throws(RecordingProblem) {
        if case .invalid(let problem) = PayloadScan(bytes.span.bytes) {
            throw RecordingProblem("it is \(problem.message). Copy the file again, or record the run again")
        }
        struct Header: Decodable { var pushcote: Program }
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let data = Data(bytes)
        guard let program = try? decoder.decode(Header.self, from: data).pushcote else {
            throw RecordingProblem(
                "it is no recording. `pushcote exec --record FILE` and GET /api/v1/recordings/{name} write recordings")
        }
        guard program.recording == Self.format else {
            throw RecordingProblem(
                "it has format \(program.recording), from Pushcote \(program.version); Pushcote \(version) reads format "
                    + "\(Self.format). Replay it with that version")
        }
        do {
            self = try decoder.decode(Recording.self, from: data)
        } catch {
            let place = (error as? DecodingError)?.sentence ?? "it is damaged."
            throw RecordingProblem("\(place) Copy the file again, or record the run again")
        }
    }
}

/// Why a recording cannot be made, read or replayed; begins in lower case and ends without a full stop.
package struct RecordingProblem: Error, Sendable, Hashable {
    package var message: String

    package init(_ message: String) { self.message = message }
}
