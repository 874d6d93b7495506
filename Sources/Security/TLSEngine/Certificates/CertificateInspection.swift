/// Checks before start-up whether a server's certificate is usable.
package struct CertificateInspection: Sendable {
    /// The leaf first.
    package let chain: [Certificate]
    package let problems: [Problem]

    package enum Problem: Sendable, Equatable {
        /// The key belongs to another certificate.
        case keyMismatch
        /// Seconds since 1970.
        case expired(at: Int64)
        /// Seconds since 1970.
        case notYetValid(from: Int64)
        case missingNames([String])
        /// Does not verify against the authority; in OpenSSL's words.
        case notIssued(String)
    }

    /// `chain`, leaf first, and `key` are PEM; `authority` is nil when the issuer is unknown; `now` in Unix seconds.
    package init(
        chain: String, key: String, authority: Certificate?, requiredNames: [String], now: Int64
    ) throws(TLSError) {
        self.chain = try Certificate.chain(pem: chain)
        let leaf = self.chain[0]
        var problems: [Problem] = []
        if leaf.notAfter <= now { problems.append(.expired(at: leaf.notAfter)) }
        if leaf.notBefore > now { problems.append(.notYetValid(from: leaf.notBefore)) }
        do throws(KeyError) {
            if try !EVPKey(pem: key).matches(leaf) { problems.append(.keyMismatch) }
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
