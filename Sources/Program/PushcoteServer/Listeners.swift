internal import AdminAPI
internal import Fields
internal import Glibc
internal import Logging
internal import NIOCore
internal import ProviderServer
internal import PushcoteConfiguration
internal import RequestWire
internal import Synchronization

struct Listeners {
    let server: ProviderServer
    let bound: BoundAddresses
    let logger: Logger

    func open(_ listen: Configuration.Listen) async throws {
        try await open(listen.provider, .provider, \.provider)
        try await open(listen.clearText, .clearText, \.clearText)
        try await open(listen.proxy, .proxy, \.proxy)
        try await open(listen.channelsSandbox, .channelsSandbox, \.channelsSandbox)
        try await open(listen.channelsProduction, .channelsProduction, \.channelsProduction)
    }

    private func open(
        _ addresses: [HostPort], _ traffic: Traffic,
        _ list: any WritableKeyPath<ServerInformation.Addresses, [String]> & Sendable
    ) async throws {
        for address in addresses {
            do {
                let listener = try await server.listen(host: address.host, port: address.port, traffic)
                bound.add(listener.address, to: list)
            } catch {
                try Self.tolerate(error, at: address, setting: "listen.\(traffic.rawValue)", others: addresses, logger)
            }
        }
    }

    /// If there are other addresses, skips `::1` without IPv6 and ports that only root may bind.
    static func tolerate(
        _ error: any Error, at address: HostPort, setting: String, others: [HostPort], _ logger: Logger
    ) throws {
        let code = (error as? IOError)?.errnoCode
        let isMissing = code == EADDRNOTAVAIL || code == EAFNOSUPPORT
        if isMissing, address.host == "::1", others.contains(where: { $0.host == "127.0.0.1" }) {
            logger.info(
                "No IPv6 on this machine: not listening on the address", metadata: ["address": "\(address.text)"])
            return
        }
        // For example, 443 in a container whose engine reserves ports below 1024.
        if code == EACCES, address.isPrivileged, others.contains(where: { !$0.isPrivileged }) {
            logger.warning(
                "No permission to listen on the port: continuing without it",
                metadata: [
                    "address": "\(address.text)", "setting": "\(setting)",
                    "remedy": "sysctl net.ipv4.ip_unprivileged_port_start=\(address.port)",
                ])
            return
        }
        let why =
            switch code {
            case EADDRINUSE:
                "is taken: another gateway may be running. Set \(setting) to a free address; port 0 chooses one"
            case EACCES: "needs permissions this user lacks. Set \(setting) to a port above 1023"
            case EADDRNOTAVAIL: "is not an address of this machine. Set \(setting) to one that is"
            case nil where error is SocketAddressError.UnknownHost:
                "has an unknown host. Set \(setting) to an address of this machine, such as 127.0.0.1"
            default: "cannot be bound (\(error)). Check \(setting)"
            }
        throw StartError("\(address.text) \(why).")
    }
}

extension HostPort {
    fileprivate var isPrivileged: Bool { (1..<1024).contains(port) }
}

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
