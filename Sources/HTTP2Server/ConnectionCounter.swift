internal import HTTP2Engine
internal import NIOCore
internal import NIOPosix
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Counts connections, in all and by address.
final class ConnectionCounter: Sendable {
    private struct State {
        var total = 0
        var addresses: [String: Int] = [:]
    }

    /// Descriptors kept for listeners, event loops, files and the admin API.
    private static let reservedDescriptors = 64

    private let limit: Int
    private let addressLimit: Int
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) {
        limit = min(limits.connections, max(1, Self.descriptors - Self.reservedDescriptors))
        addressLimit = limits.connectionsPerAddress
    }

    /// Takes a connection in.
    /// - Returns: The limit that it is over.
    func add(_ address: String) -> AttackClass? {
        state.withLock { state in
            guard state.total < limit else { return .connections }
            guard state.addresses[address, default: 0] < addressLimit else { return .connectionsPerAddress }
            state.total += 1
            state.addresses[address, default: 0] += 1
            return nil
        }
    }

    var count: Int { state.withLock { $0.total } }

    func remove(_ address: String) {
        state.withLock { state in
            state.total -= 1
            let count = state.addresses[address, default: 1] - 1
            state.addresses[address] = count == 0 ? nil : count
        }
    }

    /// How many descriptors this process may have open.
    private static var descriptors: Int {
        var limit = rlimit()
        #if canImport(Darwin)
        let status = getrlimit(RLIMIT_NOFILE, &limit)
        #else
        let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #endif
        return status == 0 ? Int(clamping: limit.rlim_cur) : .max
    }
}

extension ServerCore {
    /// Lets a new connection in.
    /// - Throws: `ConnectionRefused`, which closes the connection.
    func admit(_ channel: any Channel) throws {
        let address = channel.remoteAddress?.ipAddress ?? ""
        if let attack = connections.add(address) {
            attacks.add(attack)
            throw ConnectionRefused(limit: attack)
        }
        channel.closeFuture.whenComplete { [connections] _ in connections.remove(address) }
    }
}

/// There are as many connections as there may be.
struct ConnectionRefused: Error {
    var limit: AttackClass
}
