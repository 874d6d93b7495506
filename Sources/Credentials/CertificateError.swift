internal import Files

/// A certificate or key that keeps the gateway from starting: which file, what is wrong, what to do.
package struct CertificateError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    package var problem: String
    package var remedy: String

    package init(file: String, problem: String, remedy: String) {
        (self.file, self.problem, self.remedy) = (file, problem, remedy)
    }

    package var description: String { "\(file): \(problem). \(remedy)" }

    /// A text file, or what keeps it from being read.
    package static func text(of file: String, remedy: String) throws(CertificateError) -> String {
        do {
            return try FileStore.text(file)
        } catch {
            throw CertificateError(file: file, problem: "it cannot be read (\(error.reason))", remedy: remedy)
        }
    }
}

/// Why a gateway does not start, for the person who started it.
package struct StartError: Error, Equatable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
