internal import Files
package import TLSEngine

/// Instructions for a client to trust the gateway's CA.
package struct TrustRecipe {
    package var client: String
    package var text: String

    package static func all(in store: CertificateStore) -> [TrustRecipe] {
        let authority = store.path(.authority)
        let bundle = store.path(.bundle)
        let trustStore = store.path(.trustStore)
        let password = CertificateStore.trustStorePassword
        return [
            TrustRecipe(client: "curl", text: "curl --cacert \(authority) …"),
            TrustRecipe(
                client: "Java",
                text: """
                    java -Djavax.net.ssl.trustStore=\(trustStore) -Djavax.net.ssl.trustStoreType=PKCS12 \
                    -Djavax.net.ssl.trustStorePassword=\(password) …
                    Pushy: new ApnsClientBuilder().setTrustedServerCertificateChain(new File("\(authority)"))
                    """),
            TrustRecipe(client: "Node", text: "NODE_EXTRA_CA_CERTS=\(authority) node …   (adds to the list)"),
            TrustRecipe(
                client: "Python",
                text: """
                    SSL_CERT_FILE=\(bundle) python …   (replaces the list, so it needs the bundle)
                    In code: ssl.create_default_context(cafile="\(authority)")
                    """),
            TrustRecipe(
                client: "Go",
                text: """
                    SSL_CERT_FILE=\(bundle) ./server   (Linux; replaces the list, so it needs the bundle)
                    In code: pool.AppendCertsFromPEM(…) and tls.Config{RootCAs: pool}
                    """),
            TrustRecipe(
                client: ".NET",
                text: """
                    SSL_CERT_FILE=\(bundle) dotnet …   (Linux)
                    In code: X509ChainPolicy.CustomTrustStore with X509Certificate2.CreateFromPemFile("\(authority)")
                    """),
            TrustRecipe(
                client: "Swift",
                text: """
                    As for Debian, with a name in the URL: BoringSSL accepts localhost, not 127.0.0.1
                    In code: tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile("\(authority)"))
                    """),
            TrustRecipe(client: "Ruby", text: "SSL_CERT_FILE=\(bundle) ruby …"),
            TrustRecipe(client: "PHP", text: "php -d openssl.cafile=\(bundle) -d curl.cainfo=\(bundle) …"),
            TrustRecipe(client: "Rust", text: "SSL_CERT_FILE=\(bundle) …   (openssl and rustls-native-certs)"),
            TrustRecipe(
                client: "Debian",
                text: """
                    sudo cp \(authority) /usr/local/share/ca-certificates/pushcote.crt && sudo update-ca-certificates
                    \(systemWarning)
                    """),
            TrustRecipe(
                client: "macOS",
                text: """
                    security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db \(authority)
                    \(systemWarning)
                    """),
        ]
    }

    private static let systemWarning = """
        Every program then trusts it: with certs/private/intermediate.key, somebody could pose as Apple's APNs hosts to them.
        Do so on test machines only, and remove it after the tests.
        """
}

/// Combines the system's CAs with the gateway's, because variables like `SSL_CERT_FILE` replace a client's whole list.
package enum TrustBundle {
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    package static func pem(with authority: Certificate) -> [UInt8] {
        let system = systemFiles.lazy.compactMap { try? FileStore.read($0) }.first ?? []
        return Array(authority.pem.utf8) + system
    }
}
