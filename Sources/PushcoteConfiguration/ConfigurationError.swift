/// A place in a file, as compilers write it: `config.yaml:3:5`. Lines and columns count from 1.
package struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int

    package var description: String { "\(file):\(line):\(column)" }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

/// One thing wrong with a configuration.
package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// `config.yaml:3:5`, `PUSHCOTE_AUTH_MODE` or `--set auth.mode`.
    package var place: String
    /// What is wrong and what would be right.
    package var message: String

    package init(_ place: some CustomStringConvertible, _ message: String) {
        self.place = place.description
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}

/// Every problem of an unusable configuration, in the order of reading.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// At least one.
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) { self.problems = problems }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
