/// The files that clients need to trust the gateway; read anew for each request, since certificates are renewed.
package struct AdminDocuments: Sendable {
    /// The certificate authority, in PEM.
    package var authority: @Sendable () -> [UInt8]
    /// The authority together with the usual ones, for clients that take one file.
    package var bundle: @Sendable () -> [UInt8]
    /// The authority as PKCS#12, for Java and .NET.
    package var trustStore: @Sendable () -> [UInt8]

    package init(
        authority: @escaping @Sendable () -> [UInt8], bundle: @escaping @Sendable () -> [UInt8],
        trustStore: @escaping @Sendable () -> [UInt8]
    ) {
        self.authority = authority
        self.bundle = bundle
        self.trustStore = trustStore
    }
}
