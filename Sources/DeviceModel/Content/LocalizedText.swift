/// A text that the app looks up in the device's language: a key and what its placeholders take.
package struct LocalizedText: Sendable, Hashable {
    /// The key in the app's `Localizable.strings`.
    package var key: String
    /// What `%@`, `%1$@`, … stand for.
    package var arguments: [String]

    /// Makes a text to look up.
    package init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}
