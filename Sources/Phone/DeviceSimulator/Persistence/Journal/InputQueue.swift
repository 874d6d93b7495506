/// Inputs applied but not yet written, oldest first.
struct InputQueue {
    /// About 64 MB of pushes. A slow journal writes larger groups up to this limit; beyond it pushes are rejected.
    static let capacity = 100_000

    private var inputs: [JournalRecord] = []
    /// The newest input's position, written or not.
    private(set) var last: UInt64
    /// Why inputs are discarded; nil while they are accepted.
    private(set) var refusal: String?
    /// Whether inputs were ever refused, so that the state may have been reread.
    private(set) var hasRefused = false
    /// Called when the queue becomes non-empty.
    private let wake: @Sendable () -> Void

    init(after position: UInt64, wake: @escaping @Sendable () -> Void) {
        last = position
        self.wake = wake
    }

    var isEmpty: Bool { inputs.isEmpty }

    var isFull: Bool { inputs.count >= Self.capacity }

    mutating func append(_ input: JournalRecord) {
        guard refusal == nil else { return }
        last += 1
        inputs.append(input)
        if inputs.count == 1 { wake() }
    }

    mutating func take() -> [JournalRecord] {
        defer { inputs = [] }
        return inputs
    }

    mutating func refuse(_ reason: String) {
        refusal = reason
        hasRefused = true
        inputs = []
    }

    mutating func accept() { refusal = nil }
}

package struct PushReceipt: Sendable, Hashable {
    package var sequence: UInt64
    /// The position that must be on disk before the answer is sent; 0 without a journal.
    package var position: UInt64
}

/// A push was refused because the journal cannot be written.
package struct JournalRefusal: Error, Sendable, Hashable {
    package var reason: String
}

extension SimulatorState {
    /// - Throws: `SimulatorError.journalUnwritable` while the journal cannot be written.
    func checkWritable() throws(SimulatorError) {
        if let refusal = queue?.refusal { throw .journalUnwritable(refusal) }
    }

    /// The registration that receives a push; a rollback replaces the object looked up before.
    ///
    /// - Throws: `JournalRefusal` while the journal cannot be written, or when the registration was rolled back.
    func current(_ registration: RegistrationEntry) throws(JournalRefusal) -> RegistrationEntry {
        if let refusal = queue?.refusal { throw JournalRefusal(reason: refusal) }
        if queue?.isFull == true {
            throw JournalRefusal(reason: "\(InputQueue.capacity) inputs wait for the journal, which is too slow")
        }
        guard registration.device.isDeleted else { return registration }
        if let current = tokens[registration.token] { return current }
        guard queue?.hasRefused == true else { return registration }
        throw JournalRefusal(reason: "the device no longer exists, because the journal could not be written")
    }
}
