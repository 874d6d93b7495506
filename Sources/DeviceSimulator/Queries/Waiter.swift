internal import APNs

/// A wait that sleeps until something arrives that may end it.
struct Waiter: Sendable {
    /// What is cheap to tell about an arrival.
    struct Filter: Sendable {
        var device: String?
        var topic: String?

        /// Whether something on a device may be it; the topic is nil when it may concern any app.
        func mayMatch(device: String, topic: String?) -> Bool {
            if let own = self.device, own != device { return false }
            if let own = self.topic, let topic, own != topic { return false }
            return true
        }
    }

    let filter: Filter
    let continuation: CheckedContinuation<Void, Never>

    func resume() {
        continuation.resume()
    }
}
