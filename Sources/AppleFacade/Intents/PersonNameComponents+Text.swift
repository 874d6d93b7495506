internal import ExtensionWire
public import Foundation

extension PersonNameComponents {
    /// Reads a name: the first word is the given name, the last one the family name, those between the middle name.
    ///
    /// Assumption: iOS knows more of names, such as particles and names that begin with the family.
    /// - Throws: `CocoaError.formatting` for a text without a word.
    public init(_ text: String) throws {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { throw CocoaError(.formatting) }
        self.init()
        givenName = first
        familyName = words.count > 1 ? words.last : nil
        middleName = words.count > 2 ? words[1..<(words.count - 1)].joined(separator: " ") : nil
    }

    /// The whole name; `nil` when it has no part.
    var spokenName: String? {
        let parts = [namePrefix, givenName, middleName, familyName, nameSuffix].compactMap { $0 }
        return parts.isEmpty ? nickname : parts.joined(separator: " ")
    }

    /// The parts that there are: `prefix`, `given`, `middle`, `family`, `suffix`, `nickname`.
    var json: WireValue {
        let parts = [
            ("prefix", namePrefix), ("given", givenName), ("middle", middleName), ("family", familyName),
            ("suffix", nameSuffix), ("nickname", nickname),
        ]
        return .object(
            Dictionary(
                uniqueKeysWithValues: parts.compactMap { part in part.1.map { (part.0, WireValue.string($0)) } }))
    }
}
