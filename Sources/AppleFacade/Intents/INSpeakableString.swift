package import ExtensionWire
public import Foundation

/// A text that Siri can say, and what it stands for.
open class INSpeakableString: NSObject, NSCopying {
    /// What it stands for in the app.
    public let vocabularyIdentifier: String?
    public let spokenPhrase: String
    public let pronunciationHint: String?

    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        self.vocabularyIdentifier = vocabularyIdentifier
        self.spokenPhrase = spokenPhrase
        self.pronunciationHint = pronunciationHint
    }

    public init(spokenPhrase: String) {
        vocabularyIdentifier = nil
        self.spokenPhrase = spokenPhrase
        pronunciationHint = nil
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INSpeakableString)?.json == json }

    open override var hash: Int { json.hashValue }

    package var json: WireValue {
        var members: [String: WireValue] = ["spoken": .string(spokenPhrase)]
        members["id"] = vocabularyIdentifier.map { .string($0) }
        members["hint"] = pronunciationHint.map { .string($0) }
        return .object(members)
    }
}
