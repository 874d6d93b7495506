internal import Files
internal import TLSEngine

/// A certificate or key that prevents the start: which file, what is wrong, what to do.
package struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    package var problem: String
    package var remedy: String

    package var description: String { "\(file): \(problem). \(remedy)" }

    static func text(of file: String, remedy: String) throws(CertificateError) -> String {
        do {
            return try FileStore.text(file)
        } catch {
            throw CertificateError(file: file, problem: "it cannot be read (\(error.reason))", remedy: remedy)
        }
    }

    package static func certificates(in file: String, remedy: String) throws(CertificateError) -> String {
        let text = try text(of: file, remedy: remedy)
        do {
            _ = try Certificate.chain(pem: text)
        } catch {
            throw CertificateError(
                file: file, problem: "it cannot be used (\(error.reasons.joined(separator: "; ")))", remedy: remedy)
        }
        return text
    }
}
