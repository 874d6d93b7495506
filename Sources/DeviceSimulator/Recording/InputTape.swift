package import APNs
internal import Synchronization

/// How much a recording retains; beyond that, it is incomplete and says so.
package struct RecordingLimits: Sendable {
    /// Of inputs, and of requests.
    package var count = 50_000
    /// Of payloads and changes, approximately half of the file.
    package var byteCount = 32 << 20

    package init() {}
}

/// The inputs since a recording began: a tap on what the journal stores. The store's lock guards it.
final class InputTape {
    private let limits: RecordingLimits
    private(set) var inputs: [JournalRecord] = []
    private var byteCount = 0
    /// Why later inputs are missing; nil while there are none.
    private(set) var problem: String?

    init(_ limits: RecordingLimits) { self.limits = limits }

    func append(_ input: JournalRecord) {
        guard problem == nil else { return }
        byteCount += input.approximateByteCount
        guard inputs.count < limits.count, byteCount <= limits.byteCount else {
            return stop(
                "it is full: it has the first \(inputs.count) inputs, and at most \(limits.count) of "
                    + "\(limits.byteCount >> 20) MiB. Record a shorter run")
        }
        inputs.append(input)
    }

    func stop(_ problem: String) { self.problem = self.problem ?? problem }
}

extension JournalRecord {
    fileprivate var approximateByteCount: Int {
        switch self {
        case .push(let push, _, _): push.withBytes { head, payload in head.count + payload.count + 160 }
        case .change(let change): change.recordedJSON.count
        }
    }
}

/// An input of the journal as JSON: a push as in a snapshot, or a change.
package struct RecordedInput: Sendable, Codable {
    let record: JournalRecord

    private enum CodingKeys: String, CodingKey { case push, token, notification, change }

    init(_ record: JournalRecord) { self.record = record }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if let change = try members.decodeIfPresent(SimulatorChange.self, forKey: .change) {
            record = .change(change)
            return
        }
        let token = try members.decode(DeviceToken.self, forKey: .token)
        guard let push = try members.decode(PushSnapshot.self, forKey: .push).push(token: token) else {
            throw DecodingError.dataCorruptedError(forKey: .push, in: members, debugDescription: "it is no push")
        }
        record = .push(push, token: token, sequence: try members.decode(UInt64.self, forKey: .notification))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch record {
        case .push(let push, let token, let sequence):
            try members.encode(PushSnapshot.push(push, token), forKey: .push)
            try members.encode(token, forKey: .token)
            try members.encode(sequence, forKey: .notification)
        case .change(let change): try members.encode(change, forKey: .change)
        }
    }

    /// nil for a change.
    package var push: (push: Push, token: DeviceToken, notification: UInt64)? {
        if case .push(let push, let token, let sequence) = record { (push, token, sequence) } else { nil }
    }
}

/// What a tape has at one moment.
package struct RecordedInputs: Sendable {
    package var inputs: [RecordedInput]
    /// The state after the newest input, on the tape or not.
    package var state: SimulatorSnapshot
    /// Why later inputs are missing.
    package var problem: String?
}

/// An input is impossible after those before it.
package struct ImpossibleInput: Error, Sendable {}

extension DeviceSimulator {
    /// Retains every input from now on, and returns the state before the first one.
    package func beginTape(_ limits: RecordingLimits) -> SimulatorSnapshot {
        snapshot { $0.tape = InputTape(limits) }.state
    }

    package func endTape() { store.withLock { $0.tape = nil } }

    /// Ends a tape whose inputs no longer lead to the state.
    package func stopTape(_ problem: String) { store.withLock { $0.tape?.stop(problem) } }

    /// How many inputs are on the tape; 0 without one.
    package var tapePosition: Int { store.withLock { $0.tape?.inputs.count ?? 0 } }

    /// nil without a tape.
    package func readTape() -> RecordedInputs? {
        let (state, tape) = snapshot { store in store.tape.map { ($0.inputs, $0.problem) } }
        return tape.map { RecordedInputs(inputs: $0.map(RecordedInput.init), state: state, problem: $1) }
    }

    /// Applies a recorded input, without performing what it requests from others.
    package func replay(_ input: RecordedInput) throws(ImpossibleInput) {
        do {
            try store.withLock { store in
                defer { store.extensionTasks = [] }
                guard input.record.isPossible(after: store.lastSequence) else { throw RecordDamage() }
                try store.replay(input.record)
            }
        } catch {
            throw ImpossibleInput()
        }
    }
}

extension JournalRecord {
    /// Rejects numbers that could overflow when the simulator adds to them; a journal has a checksum, a file has none.
    fileprivate func isPossible(after last: UInt64) -> Bool {
        let largest: UInt64 = 1 << 53
        return switch self {
        case .push(_, _, let sequence), .change(.astray(let sequence)): sequence > last && sequence <= largest
        case .change(.numbered(let sequence)): sequence <= largest
        case .change(.fannedOut(let limit)): limit > 0
        case .change: true
        }
    }
}
