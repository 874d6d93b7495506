internal import APNs
internal import TLSEngine

/// A certificate that somebody brings along instead of the gateway's own.
package enum ConfiguredCertificate {
    /// - Parameters:
    ///   - chain: Path of a PEM file, the leaf first.
    ///   - key: Path of a PEM file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CertificateError`, or `FileProblem`.
    package static func load(chain: String, key: String, now: Int64) throws -> ServerIdentity {
        let remedy = "Name another file in `certificates.chain`, or remove it to use the gateway's own certificate."
        let chainText = try CertificateError.text(of: chain, remedy: remedy)
        let keyText = try CertificateError.text(
            of: key, remedy: "Name the certificate's private key in `certificates.key`.")
        do {
            _ = try Certificate.chain(pem: chainText)
        } catch {
            throw CertificateError(
                file: chain, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))", remedy: remedy)
        }
        let inspection: CertificateInspection
        do {
            inspection = try CertificateInspection(
                chain: chainText, key: keyText, authority: nil, requiredNames: [], now: now)
        } catch {
            throw CertificateError(
                file: key, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))",
                remedy: "Name the certificate's private key in `certificates.key`.")
        }
        for problem in inspection.problems {
            switch problem {
            case .keyMismatch:
                throw CertificateError(
                    file: key, problem: "it is not the key of \(chain)",
                    remedy: "Name the key that belongs to the certificate in `certificates.key`.")
            case .expired(let end):
                throw CertificateError(
                    file: chain, problem: "it expired on \(Instant(wholeSeconds: end).text)", remedy: remedy)
            case .notYetValid(let start):
                throw CertificateError(
                    file: chain, problem: "it is valid from \(Instant(wholeSeconds: start).text) only", remedy: remedy)
            case .missingNames, .notIssued:
                break  // nothing was required
            }
        }
        return ServerIdentity(
            chain: chainText, key: keyText, leaf: inspection.chain[0],
            authority: inspection.chain[inspection.chain.count - 1],
            notes: [])
    }
}
