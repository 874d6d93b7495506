/// A certificate or key that keeps the gateway from starting: which file, what is wrong, what to do.
public struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    public var file: String
    public var problem: String
    public var remedy: String

    public var description: String { "\(file): \(problem). \(remedy)" }
}
