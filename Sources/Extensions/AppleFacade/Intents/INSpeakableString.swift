package import ExtensionWire
public import Foundation

public protocol INSpeakable: NSObjectProtocol {
    var spokenPhrase: String { get }
    var pronunciationHint: String? { get }
    var vocabularyIdentifier: String? { get }
    var alternativeSpeakableMatches: [any INSpeakable]? { get }
}

open class INSpeakableString: INValue, INSpeakable {
    public let vocabularyIdentifier: String?
    public let spokenPhrase: String
    public let pronunciationHint: String?
    /// Always nil, because Siri is not simulated.
    public var alternativeSpeakableMatches: [any INSpeakable]? { nil }

    public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
        (self.vocabularyIdentifier, self.spokenPhrase) = (vocabularyIdentifier, spokenPhrase)
        self.pronunciationHint = pronunciationHint
    }

    public init(spokenPhrase: String) {
        vocabularyIdentifier = nil
        self.spokenPhrase = spokenPhrase
        pronunciationHint = nil
    }

    package override var json: WireValue {
        let members = [
            "spoken": .string(spokenPhrase), "id": WireValue(vocabularyIdentifier),
            "hint": WireValue(pronunciationHint),
        ]
        return .object(members.withoutNulls)
    }
}

open class INImage: INValue {
    private let kind: String
    private let value: String

    private init(kind: String, value: String) {
        self.kind = kind
        self.value = value
    }

    public convenience init(named name: String) { self.init(kind: "named", value: name) }

    /// The contents of a PNG or JPEG file.
    public convenience init(imageData: Data) { self.init(kind: "data", value: imageData.base64EncodedString()) }

    public convenience init?(url: URL) { self.init(kind: "url", value: url.absoluteString) }

    public convenience init?(url: URL, width: Double, height: Double) { self.init(url: url) }

    open class func systemImageNamed(_ systemImageName: String) -> INImage {
        INImage(kind: "system", value: systemImageName)
    }
}
