/// A place in a file, as compilers write it.
package struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// Its path, as it was given.
    package var file: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `config.yaml:3:5`.
    package var description: String { "\(file):\(line):\(column)" }
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
    /// In the order of reading.
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
