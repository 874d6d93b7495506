internal import ExtensionWire
public import Foundation

/// What kind of address a handle is.
public enum INPersonHandleType: Int, Sendable, CaseIterable {
    case unknown = 0
    case emailAddress = 1
    case phoneNumber = 2
}

/// What the person calls an address.
public struct INPersonHandleLabel: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let home = Self("home")
    public static let work = Self("work")
    public static let iPhone = Self("iPhone")
    public static let mobile = Self("mobile")
    public static let main = Self("main")
    public static let homeFax = Self("homeFax")
    public static let workFax = Self("workFax")
    public static let pager = Self("pager")
    public static let other = Self("other")
    public static let school = Self("school")
}

/// An address of a person: what contacts are matched by.
open class INPersonHandle: NSObject, NSCopying {
    public let value: String?
    public let type: INPersonHandleType
    public let label: INPersonHandleLabel?

    public convenience init(value: String?, type: INPersonHandleType) {
        self.init(value: value, type: type, label: nil)
    }

    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel?) {
        self.value = value
        self.type = type
        self.label = label
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INPersonHandle)?.json == json }

    open override var hash: Int { json.hashValue }

    var json: WireValue {
        var members: [String: WireValue] = ["value": WireValue(value), "type": .string("\(type)")]
        members["label"] = label.map { .string($0.rawValue) }
        return .object(members)
    }
}
