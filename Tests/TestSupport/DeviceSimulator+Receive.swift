package import APNs
internal import DeviceModel
package import DeviceSimulator

extension DeviceSimulator {
    /// Gives a push to its device, whose payload is read here.
    package func accept(_ push: Push, for registration: Registration) throws(JournalRefusal) -> PushReceipt {
        try accept(push, for: registration, push.withPayload { PayloadDigest($0) })
    }

    /// - Returns: The notification's number; 0 when the journal refused it.
    @discardableResult
    package func receive(_ push: Push, for registration: Registration) -> UInt64 {
        (try? accept(push, for: registration).sequence) ?? 0
    }
}
