/// The files that clients need to trust the gateway; read anew for each request, since certificates are renewed.
public struct AdminDocuments: Sendable {
    /// The certificate authority, in PEM.
    public var authority: @Sendable () -> [UInt8]
    /// The authority together with the usual ones, for clients that take one file.
    public var bundle: @Sendable () -> [UInt8]
    /// The authority as PKCS#12, for Java and .NET.
    public var trustStore: @Sendable () -> [UInt8]

    public init(
        authority: @escaping @Sendable () -> [UInt8], bundle: @escaping @Sendable () -> [UInt8],
        trustStore: @escaping @Sendable () -> [UInt8]
    ) {
        self.authority = authority
        self.bundle = bundle
        self.trustStore = trustStore
    }
}
