internal import AdminAPI
internal import Credentials
internal import Glibc
package import Logging
internal import NIOCore
package import ProviderServer
package import PushcoteConfiguration
internal import Wire

package struct Listeners {
    package let configuration: Configuration
    package let logger: Logger

    package func open(on server: ProviderServer, _ startup: Startup) async throws {
        try await open(configuration.listen.provider, .provider, on: server, startup, \.provider)
        try await open(configuration.listen.clearText, .clearText, on: server, startup, \.clearText)
        try await open(configuration.listen.proxy, .proxy, on: server, startup, \.proxy)
    }

    private func open(
        _ addresses: [ListenAddress], _ traffic: Traffic, on server: ProviderServer, _ startup: Startup,
        _ list: any WritableKeyPath<ServerInformation.Addresses, [String]> & Sendable
    ) async throws {
        for address in addresses {
            do {
                let listener = try await server.listen(
                    on: ListenerAddress(host: address.host, port: address.port, traffic: traffic))
                startup.add(listener.address, to: list)
            } catch {
                try Self.tolerate(error, at: address, setting: "listen.\(traffic.rawValue)", others: addresses, logger)
            }
        }
    }

    /// A machine without IPv6 has no `::1`; that is no reason not to serve on `127.0.0.1`. A port that only root may have is
    /// no reason not to serve on the others.
    static func tolerate(
        _ error: any Error, at address: ListenAddress, setting: String, others: [ListenAddress], _ logger: Logger
    ) throws {
        let code = (error as? IOError)?.errnoCode
        let isMissing = code == EADDRNOTAVAIL || code == EAFNOSUPPORT
        if isMissing, address.host == "::1", others.contains(where: { $0.host == "127.0.0.1" }) {
            logger.info(
                "No IPv6 on this machine: not listening on the address", metadata: ["address": "\(address.text)"])
            return
        }
        // Such as 443 in a container whose engine reserves the ports below 1024.
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
            default: "cannot be bound (\(error)). Check \(setting)"
            }
        throw StartError("\(address.text) \(why).")
    }
}

extension ListenAddress {
    /// Whether systems reserve the port for root.
    fileprivate var isPrivileged: Bool { (1..<1024).contains(port) }
}
