internal import AdminAPI
internal import Synchronization

/// Collects the listeners' addresses as they are bound.
final class BoundAddresses: Sendable {
    private struct State {
        var addresses = ServerInformation.Addresses()
        var isComplete = false
    }

    private let state = Mutex(State())
    /// nil for an address that this machine does not have.
    private let admin = AsyncStream.makeStream(of: String?.self)

    var current: ServerInformation.Addresses { state.withLock { $0.addresses } }

    var isComplete: Bool { state.withLock { $0.isComplete } }

    func add(_ address: String, to list: any WritableKeyPath<ServerInformation.Addresses, [String]> & Sendable) {
        state.withLock { $0.addresses[keyPath: list].append(address) }
    }

    /// - Parameter address: nil when the admin API continues without one of its addresses.
    func addAdmin(_ address: String?) { admin.continuation.yield(address) }

    func cancel() { admin.continuation.finish() }

    /// Waits for the admin API; nil when the start fails.
    func all(adminCount: Int) async -> ServerInformation.Addresses? {
        var results: [String?] = []
        var iterator = admin.stream.makeAsyncIterator()
        while results.count < adminCount {
            guard let result = await iterator.next() else { return nil }
            results.append(result)
        }
        let sorted = results.compactMap(\.self).sorted()
        return state.withLock { state in
            state.addresses.admin = sorted
            state.isComplete = true
            return state.addresses
        }
    }
}
