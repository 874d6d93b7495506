/// A line and column, counted from 1, in a file; as text, `config.yaml:3:5`.
package struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int

    package var description: String { "\(file):\(line):\(column)" }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// `config.yaml:3:5`, `PUSHCOTE_AUTH_MODE` or `--set auth.mode`.
    package var place: String
    /// States the error and the remedy.
    package var message: String

    package init(_ place: some CustomStringConvertible, _ message: String) {
        self.place = place.description
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}

/// All problems of an invalid configuration, in the order of reading.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) { self.problems = problems }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
