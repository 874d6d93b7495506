package import ExtensionWire
public import Foundation

/// A picture of a person, group or thing.
open class INImage: NSObject, NSCopying {
    package let json: WireValue

    private init(kind: String, value: String) {
        json = .object(["kind": .string(kind), "value": .string(value)])
    }

    public convenience init(named name: String) { self.init(kind: "named", value: name) }

    /// The bytes of a PNG or JPEG file.
    public convenience init(imageData: Data) { self.init(kind: "data", value: imageData.base64EncodedString()) }

    /// A file's picture, or one of the web.
    public convenience init?(url: URL) { self.init(kind: "url", value: url.absoluteString) }

    /// A file's picture, or one of the web, of a known size.
    public convenience init?(url: URL, width: Double, height: Double) { self.init(url: url) }

    /// An SF symbol.
    open class func systemImageNamed(_ systemImageName: String) -> INImage {
        INImage(kind: "system", value: systemImageName)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.json == json }

    open override var hash: Int { json.hashValue }
}
