/// What is changed in the copy of a source that is compiled: words that only a compiler with Objective-C knows are
/// blanked. Lines and columns stay where they are.
enum SourcePreparation {
    static func prepared(_ source: String) -> String {
        source.replacing(/(?m)^([ \t]*(?:@\w+[ \t]+)?import[ \t]+)(os\.\w+)[ \t]*$/) {
            let module = $0.2.prefix { $0 != "." }
            return $0.1 + module + blank($0.2.count - module.count)
        }
        .replacing(/@objc(?:Members\b|\([^)\n]*\)|\b)/) { blank($0.0.count) }
    }

    private static func blank(_ count: Int) -> String { String(repeating: " ", count: count) }
}
