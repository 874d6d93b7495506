/// What the compiler found, and what can be done about it.
package struct BuildProblem: Sendable, Hashable, CustomStringConvertible {
    /// The source's file.
    package var file: String
    /// From 1.
    package var line: Int
    /// From 1.
    package var column: Int
    /// The compiler's words.
    package var message: String
    /// What is missing and whether it can ever exist here; `nil` for an ordinary error.
    package var advice: String?

    package var description: String {
        "\(file):\(line):\(column): error: \(message)" + (advice.map { "\n    \($0)" } ?? "")
    }
}

extension BuildProblem {
    /// The errors in the compiler's output, each once, in order.
    /// - Parameter originals: Where compiled copies come from.
    static func all(in output: String, originals: [String: String]) -> [BuildProblem] {
        var seen: Set<BuildProblem> = []
        return output.split(separator: "\n").compactMap { BuildProblem(line: String($0), originals) }
            .filter { seen.insert($0).inserted }
    }

    private init?(line text: String, _ originals: [String: String]) {
        guard let match = text.wholeMatch(of: /(\/[^:]+):(\d+):(\d+): error: (.*)/), let line = Int(match.2),
            let column = Int(match.3)
        else { return nil }
        file = originals[String(match.1)] ?? String(match.1)
        self.line = line
        self.column = column
        message = String(match.4)
        advice = Advice.about(message)
    }
}
