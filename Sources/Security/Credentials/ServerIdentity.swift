internal import Synchronization
package import TLSEngine
internal import Time

/// The certificates for TLS clients and the CA that they must trust.
package struct ServerIdentity: Sendable {
    /// PEM, the leaf first.
    package var chain: String
    /// PEM of the leaf without IP addresses and its intermediate, for clients that name a host: BoringSSL accepts no other.
    package var hostCertificate: String?
    package var key: String
    package var leaf: Certificate
    /// Pushcote's own CA, or the last certificate of a configured chain.
    package var authority: Certificate
    package var notes: [String]
}

extension ServerIdentity {
    /// Reads the operator's certificate, which replaces the generated one, from PEM files with the leaf first.
    /// `now` is in seconds since 1970.
    package init(chain file: String, key keyFile: String, now: Int64) throws(CertificateError) {
        let remedy = "Set `certificates.chain` to another file, or remove it to use the generated certificate."
        let keyRemedy = "Set `certificates.key` to the certificate's private key."
        let chain = try CertificateError.certificates(in: file, remedy: remedy)
        let key = try CertificateError.text(of: keyFile, remedy: keyRemedy)
        let inspection: CertificateInspection
        do {
            inspection = try CertificateInspection(chain: chain, key: key, authority: nil, requiredNames: [], now: now)
        } catch {
            throw CertificateError(
                file: keyFile, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))",
                remedy: keyRemedy)
        }
        for problem in inspection.problems {
            switch problem {
            case .keyMismatch:
                throw CertificateError(file: keyFile, problem: "it is not the key of \(file)", remedy: keyRemedy)
            case .expired(let end):
                throw CertificateError(
                    file: file, problem: "it expired on \(Instant(wholeSeconds: end).text)", remedy: remedy)
            case .notYetValid(let start):
                throw CertificateError(
                    file: file, problem: "it is valid from \(Instant(wholeSeconds: start).text) only", remedy: remedy)
            case .missingNames, .notIssued: break  // nothing was required
            }
        }
        self.init(
            chain: chain, key: key, leaf: inspection.chain[0],
            authority: inspection.chain[inspection.chain.count - 1], notes: [])
    }
}

/// The identity in use; a reload may replace it.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<ServerIdentity>

    package init(_ identity: ServerIdentity) { self.identity = Mutex(identity) }

    package var value: ServerIdentity { identity.withLock { $0 } }

    package func replace(by new: ServerIdentity) { identity.withLock { $0 = new } }
}
