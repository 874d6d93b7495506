/// Inputs that happened and are not written yet, oldest first.
struct InputQueue {
    private enum State {
        case accepting
        /// Inputs are discarded. `isDirty`: memory is ahead of the journal, so the state must be read again.
        case refusing(reason: String, isDirty: Bool)
    }

    private var inputs: [SimulatorInput] = []
    private var state = State.accepting
    /// The position of the newest input, written or not.
    private(set) var last: UInt64
    /// The position of the newest input whose outcome may still be open; 0 once the latest inputs are known to be lost.
    private(set) var newest: UInt64
    /// Whether inputs were ever refused, so that the state may have been read again.
    private(set) var hasRefused = false
    /// Called when the queue is no longer empty.
    private let wake: @Sendable () -> Void

    init(after position: UInt64, wake: @escaping @Sendable () -> Void) {
        last = position
        newest = position
        self.wake = wake
    }

    /// Why inputs are refused; nil while they are accepted.
    var refusal: String? {
        if case .refusing(let reason, _) = state { reason } else { nil }
    }

    var isDirty: Bool {
        if case .refusing(_, let isDirty) = state { isDirty } else { false }
    }

    mutating func append(_ input: SimulatorInput) {
        guard case .accepting = state else { return markDirty() }
        last += 1
        newest = last
        inputs.append(input)
        if inputs.count == 1 { wake() }
    }

    /// Removes all inputs; the position of the newest is `last`.
    mutating func take() -> [SimulatorInput] {
        defer { inputs = [] }
        return inputs
    }

    /// Discards all inputs, those taken too.
    mutating func refuse(_ reason: String) {
        state = .refusing(reason: reason, isDirty: true)
        hasRefused = true
        inputs = []
    }

    /// While refusing: something happened in memory that must be rolled back, or was not repeated when it should have been.
    mutating func markDirty() { setDirty(true) }

    /// While refusing: the state is the journal's again.
    mutating func markClean() { setDirty(false) }

    private mutating func setDirty(_ isDirty: Bool) {
        if case .refusing(let reason, _) = state { state = .refusing(reason: reason, isDirty: isDirty) }
    }

    /// - Returns: Whether inputs are accepted again; not while the state is dirty.
    mutating func reopen() -> Bool {
        if !isDirty { state = .accepting }
        return !isDirty
    }

    /// Reports the inputs whose commit failed as lost from now on.
    mutating func reportLoss() { newest = 0 }
}

package struct PushReceipt: Sendable, Hashable {
    package var sequence: UInt64
    /// The position in the journal, which must be written before the answer; 0 without a journal.
    package var position: UInt64
}

/// A push was refused because the journal cannot be written.
package struct JournalRefusal: Error, Sendable, Hashable {
    /// What is wrong, and what to do.
    package var reason: String
}

extension Store {
    /// - Throws: `SimulatorError.notKept` while the journal cannot be written.
    func checkWritable() throws(SimulatorError) {
        if let refusal = queue?.refusal { throw .notKept(refusal) }
    }

    /// The registration that a push goes to. Between lookup and use the state may have been read again from the journal;
    /// then it is another object.
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
