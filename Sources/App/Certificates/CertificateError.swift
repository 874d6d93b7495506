/// A certificate or key that keeps the gateway from starting: which file, what is wrong, what to do.
public struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    public var file: String
    public var problem: String
    public var remedy: String

    public var description: String { "\(file): \(problem). \(remedy)" }

    /// A text file, or what keeps it from being read.
    static func text(of file: String, remedy: String) throws(CertificateError) -> String {
        do {
            return try FileStore.text(file)
        } catch {
            throw CertificateError(file: file, problem: "it cannot be read (\(error.reason))", remedy: remedy)
        }
    }
}
