/// A place in a file, as compilers write it: `config.yaml:3:5`.
package struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Its path, as it was given.
    package var file: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int

    package var description: String { "\(file):\(line):\(column)" }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

/// One thing wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where it stands: `config.yaml:3:5`, `PUSHCOTE_AUTH_MODE` or `--set auth.mode`.
    package var place: String
    /// What is wrong and what would be right.
    package var message: String

    package init(place: String, message: String) {
        self.place = place
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}

/// Why a configuration cannot be used: every problem found, in the order of reading.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// At least one.
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) { self.problems = problems }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
