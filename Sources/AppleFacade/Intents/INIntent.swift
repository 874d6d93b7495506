package import ExtensionWire
public import Foundation

open class INIntent: NSObject, NSCopying {
    public override init() {}

    open var suggestedInvocationPhrase: String?
    open var intentDescription: String? { nil }
    open var identifier: String? { nil }
    open var shortcutAvailability: INShortcutAvailabilityOptions = []
    open var donationMetadata: INIntentDonationMetadata?

    var parameterImages: [String: INImage] = [:]

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open func keyImage() -> INImage? { parameterImages.sorted { $0.key < $1.key }.first?.value }

    class var parameterNames: [AnyKeyPath: String] { [:] }

    /// The parameters; an app's own intents have theirs read by reflection.
    var parameters: [String: WireValue] {
        var members: [String: WireValue] = [:]
        for child in Mirror(reflecting: self).children {
            guard let label = child.label else { continue }
            members[label.hasPrefix("_") ? String(label.dropFirst()) : label] = INParameterValue.json(child.value)
        }
        return members
    }

    /// Whole, with `class`.
    package var json: WireValue {
        var members = parameters
        members["class"] = .string("\(type(of: self))")
        if !parameterImages.isEmpty { members["parameterImages"] = .object(parameterImages.mapValues(\.json)) }
        members["suggestedInvocationPhrase"] = suggestedInvocationPhrase.map { .string($0) }
        if let donationMetadata { members["donationMetadata"] = donationMetadata.json }
        return .object(members)
    }
}

public struct INShortcutAvailabilityOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sleepMindfulness = Self(rawValue: 1)
    public static let sleepJournaling = Self(rawValue: 2)
    public static let sleepMusic = Self(rawValue: 4)
    public static let sleepPodcasts = Self(rawValue: 8)
    public static let sleepReading = Self(rawValue: 16)
    public static let sleepWrapUpYourDay = Self(rawValue: 32)
    public static let sleepYogaAndStretching = Self(rawValue: 64)
}

extension NSObjectProtocol where Self: INIntent {
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        guard let name = Self.name(of: parameterName) else { return }
        parameterImages[name] = image
    }

    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        Self.name(of: parameterName).flatMap { parameterImages[$0] }
    }

    /// Those of an app's own intents are found by their description, such as `\Order.item`.
    private static func name(of path: AnyKeyPath) -> String? {
        if let name = parameterNames[path] { return name }
        let description = "\(path)"
        guard let dot = description.lastIndex(of: "."), !description.contains("<") else { return nil }
        return String(description[description.index(after: dot)...])
    }
}

open class INIntentResponse: NSObject {
    public override init() {}

    open var userActivity: NSUserActivity?

    var members: [String: WireValue] { [:] }

    /// Whole, with `class`.
    package var json: WireValue {
        var members = members
        members["class"] = .string("\(type(of: self))")
        if let userActivity { members["userActivity"] = userActivity.json }
        return .object(members)
    }
}

open class INIntentDonationMetadata: NSObject {
    public override init() {}

    var json: WireValue { .object([:]) }
}

/// Parameters of an app's own intents, of which only the values are known.
enum INParameterValue {
    static func json(_ value: Any) -> WireValue {
        switch value {
        case let value as INPerson: value.json
        case let value as INSpeakableString: value.json
        case let value as INImage: value.json
        case let value as INObject: value.json
        case let value as INIntent: value.json
        case let value as [Any]: .array(value.map(json))
        default: optional(value)
        }
    }

    private static func optional(_ value: Any) -> WireValue {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.map { json($0.value) } ?? .null
        case .enum: return .string("\(value)")
        default: return WireValue(foundationObject: value)
        }
    }
}

open class INObject: NSObject {
    public let identifier: String?
    public let displayString: String
    public let pronunciationHint: String?

    public convenience init(identifier: String?, display displayString: String) {
        self.init(identifier: identifier, display: displayString, pronunciationHint: nil)
    }

    public init(identifier: String?, display displayString: String, pronunciationHint: String?) {
        (self.identifier, self.displayString, self.pronunciationHint) = (identifier, displayString, pronunciationHint)
    }

    var json: WireValue {
        .object(["identifier": WireValue(identifier), "displayString": .string(displayString)])
    }
}
