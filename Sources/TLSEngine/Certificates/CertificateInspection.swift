/// Whether a server's certificate can be used: checked before the server starts, so that a person learns what to do.
package struct CertificateInspection: Sendable {
    /// The leaf first.
    package let chain: [Certificate]
    package let problems: [Problem]

    /// What is wrong with a certificate.
    package enum Problem: Sendable, Equatable {
        /// The key is another certificate's.
        case keyMismatch
        /// Seconds since 1970.
        case expired(at: Int64)
        /// Seconds since 1970.
        case notYetValid(from: Int64)
        /// Names the certificate should have and has not.
        case missingNames([String])
        /// It does not verify against the authority; OpenSSL's words.
        case notIssued(String)
    }

    /// - Parameters:
    ///   - chain: PEM, the leaf first.
    ///   - key: PEM.
    ///   - authority: The certificate the leaf must come from; `nil` when that is not known.
    ///   - now: Seconds since 1970.
    /// - Throws: `TLSError` when either text cannot be read.
    package init(
        chain: String, key: String, authority: Certificate?, requiredNames: [String], now: Int64
    ) throws(TLSError) {
        self.chain = try Certificate.chain(pem: chain)
        let leaf = self.chain[0]
        var problems: [Problem] = []
        if leaf.notAfter <= now { problems.append(.expired(at: leaf.notAfter)) }
        if leaf.notBefore > now { problems.append(.notYetValid(from: leaf.notBefore)) }
        do throws(KeyError) {
            if try !PrivateKey(pem: key).matches(leaf) { problems.append(.keyMismatch) }
        } catch {
            throw TLSError(.unusableCertificate, reasons: [error.description])
        }
        let names = Set(leaf.alternativeNames)
        let missing = requiredNames.filter { !names.contains($0) }
        if !missing.isEmpty { problems.append(.missingNames(missing)) }
        let intermediates = Array(self.chain.dropFirst())
        if let authority, let reason = leaf.problem(issuedBy: [authority], intermediates: intermediates, at: now) {
            problems.append(.notIssued(reason))
        }
        self.problems = problems
    }
}
