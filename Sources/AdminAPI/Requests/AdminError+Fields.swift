internal import DeviceModel
internal import Fields

extension AdminError {
    /// Problems that one answer tells; more help nobody.
    private static let toldProblems = 10

    /// What a table of fields found wrong, one sentence for each problem.
    init(_ error: FieldError) {
        let sentences = error.problems.prefix(Self.toldProblems).map { problem in
            // Double quotes would have to be escaped in JSON.
            let text = "'\(problem.path)' \(problem.message)".map { $0 == "\"" ? "'" : String($0) }.joined()
            return text.hasSuffix("?") ? text : text + "."
        }
        self = .badRequest(sentences.joined(separator: " "))
    }
}
