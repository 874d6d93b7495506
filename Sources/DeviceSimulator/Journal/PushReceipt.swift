/// What became of a push that a device got.
package struct PushReceipt: Sendable, Hashable {
    /// The notification's number.
    package var sequence: UInt64
    /// Where it stands in the journal; it may be answered once that is written. 0 when nothing is written.
    package var position: UInt64
}

/// A push or a change is not taken, because it could not be kept.
package struct JournalRefusal: Error, Sendable, Hashable {
    /// What is wrong, and what to do.
    package var reason: String
}

extension Store {
    /// - Throws: `SimulatorError.notKept` while nothing can be kept.
    func checkWritable() throws(SimulatorError) {
        if let refusal = queue?.refusal { throw .notKept(refusal) }
    }

    /// The registration by which a push comes, when pushes are kept.
    ///
    /// Between finding it and using it the state may have been read anew from the journal; then it is another object.
    ///
    /// - Throws: `JournalRefusal` while nothing can be kept, or when the registration itself could not be.
    func kept(_ registration: RegistrationEntry) throws(JournalRefusal) -> RegistrationEntry {
        if let refusal = queue?.refusal { throw JournalRefusal(reason: refusal) }
        guard registration.device.isDeleted else { return registration }
        if let current = tokens[registration.token] { return current }
        guard queue?.wasRefusing == true else { return registration }
        throw JournalRefusal(reason: "the device no longer exists, because the journal could not be written")
    }
}
