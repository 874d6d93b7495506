package import APNs
internal import Synchronization
package import Time

/// The inputs since a recording began: the journal's inputs without metadata. The store's lock guards it.
package final class InputTape {
    /// Limit of inputs, and of requests; a run with more is a load test.
    package static let capacity = 50_000
    /// Limit of payloads and changes, about half of the file.
    static let byteCapacity = 32 << 20

    fileprivate(set) var inputs: [JournalRecord] = []
    private var byteCount = 0
    /// Of the next state to be loaded, encoded outside the lock.
    var loadedByteCount = 0
    /// Why later inputs are missing; nil while there are none.
    fileprivate(set) var problem: String?

    func append(_ input: JournalRecord) {
        guard problem == nil else { return }
        switch input {
        case .push(let push, _, _): byteCount += push.withBytes { head, payload in head.count + payload.count + 160 }
        case .change(.loaded): byteCount += loadedByteCount
        case .change(let change): byteCount += change.recordedJSON.count
        }
        guard inputs.count < Self.capacity, byteCount <= Self.byteCapacity else {
            return stop("it is full after \(inputs.count) inputs; record a shorter run")
        }
        inputs.append(input)
    }

    func stop(_ problem: String) { self.problem = self.problem ?? problem }
}

/// An input of the journal as JSON: a push as in a snapshot, or a change.
package struct RecordedInput: Sendable, Codable {
    fileprivate let record: JournalRecord

    private enum Coded: Codable {
        case push(PushSnapshot, token: DeviceToken, notification: UInt64)
        case change(SimulatorChange)
    }

    fileprivate init(_ record: JournalRecord) { self.record = record }

    package init(from decoder: any Decoder) throws {
        switch try Coded(from: decoder) {
        case .change(let change): record = .change(change)
        case .push(let snapshot, let token, let sequence):
            guard let push = snapshot.push(token: token) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "it is not a push"))
            }
            record = .push(push, token: token, sequence: sequence)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        let coded: Coded =
            switch record {
            case .push(let push, let token, let sequence):
                .push(.push(push, token), token: token, notification: sequence)
            case .change(let change): .change(change)
            }
        try coded.encode(to: encoder)
    }

    /// Whether it makes a device, as a push to an unknown token does.
    package func makesDevice(at instant: Instant) -> Bool {
        if case .change(.device(_, instant)) = record { true } else { false }
    }

    package func registers(_ token: DeviceToken, at instant: Instant) -> Bool {
        if case .change(.registration(_, token: token, at: instant, isFormer: false)) = record { true } else { false }
    }

    /// nil for a change.
    package var push: (push: Push, token: DeviceToken, notification: UInt64)? {
        if case .push(let push, let token, let sequence) = record { (push, token, sequence) } else { nil }
    }
}

extension DeviceSimulator {
    /// Retains every input from now on, and returns the state before the first one.
    package func beginTape() -> SimulatorSnapshot { snapshot { $0.tape = InputTape() }.state }

    package func endTape() { store.withLock { $0.tape = nil } }

    /// Stops a tape whose inputs no longer determine the state.
    package func stopTape(_ problem: String) { store.withLock { $0.tape?.stop(problem) } }

    package var tapePosition: Int { store.withLock { $0.tape?.inputs.count ?? 0 } }

    /// The inputs, why later ones are missing, and the state now; nil without a tape.
    package func readTape() -> (inputs: [RecordedInput], problem: String?, state: SimulatorSnapshot)? {
        let (state, tape) = snapshot { store in store.tape.map { ($0.inputs, $0.problem) } }
        return tape.map { ($0.map(RecordedInput.init), $1, state) }
    }

    /// Applies a recorded input, without asking service extensions.
    /// - Throws: When it is impossible after those before it.
    package func replay(_ input: RecordedInput) throws {
        try store.withLock { store in
            defer { store.extensionTasks = [] }
            guard input.record.isPossible(after: store.lastSequence) else { throw RecordDamage() }
            try store.replay(input.record)
        }
    }
}

extension JournalRecord {
    /// Rejects numbers that could overflow when the simulator adds to them: a file has no checksum.
    fileprivate func isPossible(after last: UInt64) -> Bool {
        switch self {
        case .push(_, _, let sequence), .change(.astray(let sequence)): sequence > last && sequence <= 1 << 53
        case .change(.numbered(let sequence)): sequence <= 1 << 53
        case .change(.fannedOut(let limit)), .change(.shared(let limit)): limit > 0
        case .change: true
        }
    }
}
