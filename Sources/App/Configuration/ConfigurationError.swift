/// A place in a file, as compilers write it.
public struct SourcePosition: Hashable, Sendable, CustomStringConvertible {
    /// Its path, as it was given.
    public var file: String
    /// From 1.
    public var line: Int
    /// From 1.
    public var column: Int

    /// Makes a position.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `config.yaml:3:5`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// One thing wrong with a configuration.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// Where it stands: `config.yaml:3:5`, `PUSHCOTE_AUTH_MODE` or `--set auth.mode`.
    public var place: String
    /// What is wrong and what would be right.
    public var message: String

    /// Makes a problem.
    public init(place: String, message: String) {
        self.place = place
        self.message = message
    }

    /// Place and message.
    public var description: String { "\(place): \(message)" }
}

/// Why a configuration cannot be used: every problem found, in the order of reading.
public struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    /// In the order of reading.
    public var problems: [ConfigurationProblem]

    /// Makes an error of at least one problem.
    public init(problems: [ConfigurationProblem]) {
        self.problems = problems
    }

    /// One line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
