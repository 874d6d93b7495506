package import APNs
internal import DeviceModel
package import DeviceSimulator
package import Time

extension DeviceSimulator {
    package func accept(_ push: Push, for registration: Registration) throws(JournalRefusal) -> PushReceipt {
        try accept(push, for: registration, push.withPayload { PayloadDigest($0) })
    }

    /// Returns the sequence number; 0 when the journal refused the push.
    @discardableResult
    package func receive(_ push: Push, for registration: Registration) -> UInt64 {
        (try? accept(push, for: registration).sequence) ?? 0
    }

    /// Performs everything due.
    package func advance(to now: Instant) {
        while !advanceOneStep(to: now) {}
    }
}
