internal import Synchronization

/// Collects the addresses of the listeners as they come up.
final class Startup: Sendable {
    private let collected = Mutex(GatewayAddresses())
    private let bound = AsyncStream.makeStream(of: String.self)

    /// Adds an address of the provider's listeners.
    func add(_ address: String, to list: any WritableKeyPath<GatewayAddresses, [String]> & Sendable) {
        collected.withLock { $0[keyPath: list].append(address) }
    }

    /// The admin API listens.
    func adminIsUp(_ address: String) { bound.continuation.yield(address) }

    /// Nothing more comes up.
    func cancel() { bound.continuation.finish() }

    /// Waits for the admin API.
    /// - Returns: `nil` when the start was given up.
    func addresses(adminCount: Int) async -> GatewayAddresses? {
        var admin: [String] = []
        if adminCount > 0 {
            for await address in bound.stream {
                admin.append(address)
                if admin.count == adminCount { break }
            }
            guard admin.count == adminCount else { return nil }
        }
        let sorted = admin.sorted()
        return collected.withLock { addresses in
            addresses.admin = sorted
            return addresses
        }
    }
}
