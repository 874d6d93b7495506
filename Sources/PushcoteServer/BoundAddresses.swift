internal import AdminAPI
internal import Synchronization

/// The addresses of the listeners, collected as they are bound.
final class BoundAddresses: Sendable {
    private struct State {
        var addresses = ServerInformation.Addresses()
        var isComplete = false
    }

    private let state = Mutex(State())
    /// Addresses of the admin API; `nil` for one that this machine does not have.
    private let admin = AsyncStream.makeStream(of: String?.self)

    var current: ServerInformation.Addresses { state.withLock { $0.addresses } }

    var isComplete: Bool { state.withLock { $0.isComplete } }

    func add(_ address: String, to list: any WritableKeyPath<ServerInformation.Addresses, [String]> & Sendable) {
        state.withLock { $0.addresses[keyPath: list].append(address) }
    }

    /// - Parameter address: `nil` when the admin API continues without one of its addresses.
    func addAdmin(_ address: String?) { admin.continuation.yield(address) }

    /// No further address is bound.
    func cancel() { admin.continuation.finish() }

    /// Waits for the admin API.
    /// - Returns: `nil` when the start failed.
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
