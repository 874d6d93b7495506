/// What a sentence that is built from values says when a value is missing, or contradicts the others.
package enum Sentences {
    /// - Returns: nil if the sentence reads well.
    package static func problem(in sentence: String) -> String? {
        let gaps = ["\"\"", "()", "( ", " )", "  ", " ?", " ,", "nil", "Optional(", "(-", " -"]
        if let gap = gaps.first(where: { sentence.contains($0) }) { return "\(gap) in: \(sentence)" }
        return sentence.isEmpty ? "nothing" : nil
    }
}
