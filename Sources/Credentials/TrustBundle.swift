package import TLSEngine

/// The system's authorities together with the gateway's: variables like `SSL_CERT_FILE` replace a client's whole list.
package enum TrustBundle {
    /// Where systems keep their authorities.
    static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    /// PEM: the gateway's authority first. On a system without authorities it is the only one.
    package static func pem(with authority: Certificate) -> [UInt8] {
        let system = systemFiles.lazy.compactMap { try? FileStore.read($0) }.first ?? []
        return Array(authority.pem.utf8) + system
    }
}
