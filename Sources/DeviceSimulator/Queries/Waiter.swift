internal import APNs

/// A wait that sleeps until something arrives that may end it.
struct Waiter: Sendable {
    /// What is cheap to tell about an arrival.
    struct Filter: Sendable {
        var device: String?
        var topic: String?

        func mayMatch(_ registration: RegistrationEntry) -> Bool {
            if let device, device != registration.device.name { return false }
            if let topic, topic != registration.topic { return false }
            return true
        }
    }

    let filter: Filter
    let continuation: CheckedContinuation<Void, Never>

    func resume() {
        continuation.resume()
    }
}
