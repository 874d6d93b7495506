/// A text that the app looks up in the device's language: a key and what its placeholders take.
public struct LocalizedText: Sendable, Hashable {
    /// The key in the app's `Localizable.strings`.
    public var key: String
    /// What `%@`, `%1$@`, … stand for.
    public var arguments: [String]

    /// Makes a text to look up.
    public init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}
