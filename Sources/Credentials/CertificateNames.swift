/// The names in the server's certificate, and those that its authority may sign for.
package enum CertificateNames {
    /// Names a gateway is reached under: on this machine, in a compose file, and in APNs' place.
    package static let standard = [
        "localhost", "127.0.0.1", "::1", "pushcote", "api.push.apple.com", "api.sandbox.push.apple.com",
        "api.development.push.apple.com", "api-manage-broadcast.push.apple.com",
        "api-manage-broadcast.sandbox.push.apple.com",
    ]

    /// - Parameter extra: `certificates.names` of the configuration.
    static func all(with extra: [String]) -> [String] { standard + extra.filter { !standard.contains($0) } }
}
