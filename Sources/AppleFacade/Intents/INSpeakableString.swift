package import ExtensionWire
public import Foundation

open class INSpeakableString: NSObject, NSCopying, StoredAsJSON {
    public let vocabularyIdentifier: String?
    public let spokenPhrase: String
    public let pronunciationHint: String?

    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        (self.vocabularyIdentifier, self.spokenPhrase) = (vocabularyIdentifier, spokenPhrase)
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

open class INImage: NSObject, NSCopying, StoredAsJSON {
    package let json: WireValue

    private init(kind: String, value: String) {
        json = .object(["kind": .string(kind), "value": .string(value)])
    }

    public convenience init(named name: String) { self.init(kind: "named", value: name) }

    /// The contents of a PNG or JPEG file.
    public convenience init(imageData: Data) { self.init(kind: "data", value: imageData.base64EncodedString()) }

    public convenience init?(url: URL) { self.init(kind: "url", value: url.absoluteString) }

    public convenience init?(url: URL, width: Double, height: Double) { self.init(url: url) }

    open class func systemImageNamed(_ systemImageName: String) -> INImage {
        INImage(kind: "system", value: systemImageName)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.json == json }

    open override var hash: Int { json.hashValue }
}
