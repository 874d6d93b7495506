internal import AdminAPI
internal import Synchronization

/// Collects the addresses of the listeners as they come up.
package final class Startup: Sendable {
    private struct State {
        var addresses = ServerInformation.Addresses()
        var isComplete = false
    }

    private let state = Mutex(State())
    /// Addresses of the admin API, or `nil` for one that this machine does not have.
    private let bound = AsyncStream.makeStream(of: String?.self)

    var current: ServerInformation.Addresses { state.withLock { $0.addresses } }

    var isComplete: Bool { state.withLock { $0.isComplete } }

    func add(_ address: String, to list: any WritableKeyPath<ServerInformation.Addresses, [String]> & Sendable) {
        state.withLock { $0.addresses[keyPath: list].append(address) }
    }

    func adminIsUp(_ address: String) { bound.continuation.yield(address) }

    /// The admin API goes without one of its addresses.
    func adminIsMissing() { bound.continuation.yield(nil) }

    /// Nothing more comes up.
    func cancel() { bound.continuation.finish() }

    /// Waits for the admin API.
    /// - Returns: `nil` when the start was given up.
    func addresses(adminCount: Int) async -> ServerInformation.Addresses? {
        var waiting = adminCount
        var admin: [String] = []
        if waiting > 0 {
            for await address in bound.stream {
                if let address { admin.append(address) }
                waiting -= 1
                if waiting == 0 { break }
            }
        }
        guard waiting == 0 else { return nil }
        let sorted = admin.sorted()
        return state.withLock { state in
            state.addresses.admin = sorted
            state.isComplete = true
            return state.addresses
        }
    }
}
