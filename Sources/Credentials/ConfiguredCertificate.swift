internal import APNs
internal import Files
internal import TLSEngine

/// A certificate that somebody brings along instead of the gateway's own.
package enum ConfiguredCertificate {
    /// - Parameters:
    ///   - chain: Path of a PEM file, the leaf first.
    ///   - key: Path of a PEM file.
    ///   - now: Seconds since 1970.
    /// - Throws: `CertificateError`, or `FileProblem`.
    package static func load(chain: String, key: String, now: Int64) throws -> ServerIdentity {
        let remedy = "Set `certificates.chain` to another file, or remove it to use the generated certificate."
        let chainText = try CertificateError.text(of: chain, remedy: remedy)
        let keyText = try CertificateError.text(
            of: key, remedy: "Set `certificates.key` to the certificate's private key.")
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
                remedy: "Set `certificates.key` to the certificate's private key.")
        }
        for problem in inspection.problems {
            switch problem {
            case .keyMismatch:
                throw CertificateError(
                    file: key, problem: "it is not the key of \(chain)",
                    remedy: "Set `certificates.key` to the certificate's private key.")
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
