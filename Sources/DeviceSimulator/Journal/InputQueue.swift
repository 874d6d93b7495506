/// Inputs that happened and are not written yet, oldest first.
struct InputQueue {
    private var inputs: [SimulatorInput] = []
    /// The position of the newest input, written or not.
    private(set) var last: UInt64
    /// Why inputs are discarded; nil while they are accepted.
    private(set) var refusal: String?
    /// Whether inputs were ever refused, so that the state may have been read again.
    private(set) var hasRefused = false
    /// Called when the queue is no longer empty.
    private let wake: @Sendable () -> Void

    init(after position: UInt64, wake: @escaping @Sendable () -> Void) {
        last = position
        self.wake = wake
    }

    var isEmpty: Bool { inputs.isEmpty }

    mutating func append(_ input: SimulatorInput) {
        guard refusal == nil else { return }
        last += 1
        inputs.append(input)
        if inputs.count == 1 { wake() }
    }

    /// Removes all inputs; the position of the newest is `last`.
    mutating func take() -> [SimulatorInput] {
        defer { inputs = [] }
        return inputs
    }

    /// Discards all inputs until `accept()`.
    mutating func refuse(_ reason: String) {
        refusal = reason
        hasRefused = true
        inputs = []
    }

    mutating func accept() { refusal = nil }
}

package struct PushReceipt: Sendable, Hashable {
    package var sequence: UInt64
    /// The position in the journal, which must be written before the answer; 0 without a journal.
    package var position: UInt64
}

/// A push was refused because the journal cannot be written.
package struct JournalRefusal: Error, Sendable, Hashable {
    /// What is wrong and what to do.
    package var reason: String
}

extension Store {
    /// - Throws: `SimulatorError.notKept` while the journal cannot be written.
    func checkWritable() throws(SimulatorError) {
        if let refusal = queue?.refusal { throw .notKept(refusal) }
    }

    /// The registration to deliver a push to: after a rollback it is another object than the one looked up before.
    ///
    /// - Throws: `JournalRefusal` while the journal cannot be written, or when the registration was rolled back.
    func current(_ registration: RegistrationEntry) throws(JournalRefusal) -> RegistrationEntry {
        if let refusal = queue?.refusal { throw JournalRefusal(reason: refusal) }
        guard registration.device.isDeleted else { return registration }
        if let current = tokens[registration.token] { return current }
        guard queue?.hasRefused == true else { return registration }
        throw JournalRefusal(reason: "the device no longer exists, because the journal could not be written")
    }
}
