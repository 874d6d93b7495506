package import NIOCore
package import Wire

package struct BoundListener: Hashable, Sendable {
    package var traffic: Traffic
    /// Address and actual port: `127.0.0.1:2197` or `[::1]:2197`.
    package var address: String
    package var port: Int
}

extension SocketAddress {
    /// Address and port, with brackets around IPv6; empty for other families.
    package var text: String {
        switch self {
        case .v4: "\(ipAddress ?? ""):\(port ?? 0)"
        case .v6: "[\(ipAddress ?? "")]:\(port ?? 0)"
        case .unixDomainSocket: ""
        }
    }
}
