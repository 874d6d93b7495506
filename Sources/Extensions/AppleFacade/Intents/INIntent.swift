public import ExtensionWire
public import Foundation

open class INIntent: CopiedByReference, StoredAsJSON {
    open var suggestedInvocationPhrase: String?
    open var intentDescription: String? { nil }
    open var identifier: String? { nil }
    open var shortcutAvailability: INShortcutAvailabilityOptions = []
    open var donationMetadata: INIntentDonationMetadata?

    var parameterImages: [String: INImage] = [:]

    open func keyImage() -> INImage? { parameterImages.sorted { $0.key < $1.key }.first?.value }

    /// The stored properties of subclasses, Apple's or an app's own.
    var parameters: [String: WireValue] { storedMembers(below: INIntent.self) }

    package var json: WireValue {
        var members = parameters
        members["class"] = .string("\(type(of: self))")
        if !parameterImages.isEmpty { members["parameterImages"] = .object(parameterImages.mapValues(\.json)) }
        members["suggestedInvocationPhrase"] = suggestedInvocationPhrase.map { .string($0) }
        members["donationMetadata"] = donationMetadata?.json
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

    /// The last part of the key path's description, such as `\Order.item`; nil for computed values.
    private static func name(of path: AnyKeyPath) -> String? {
        let description = "\(path)"
        guard let dot = description.lastIndex(of: "."), !description.contains("<") else { return nil }
        return String(description[description.index(after: dot)...])
    }
}

open class INIntentResponse: NSObject, StoredAsJSON {
    open var userActivity: NSUserActivity?

    package var json: WireValue {
        var members = storedMembers(below: INIntentResponse.self)
        members["class"] = .string("\(type(of: self))")
        members["userActivity"] = userActivity?.json
        return .object(members)
    }
}

/// The base of Apple's responses.
open class INCodedResponse<Code: Sendable>: INIntentResponse {
    public let code: Code

    public init(code: Code, userActivity: NSUserActivity?) {
        self.code = code
        super.init()
        self.userActivity = userActivity
    }
}

open class INIntentDonationMetadata: NSObject, StoredAsJSON {
    package var json: WireValue { .object([:]) }
}

/// The base of the types that an app defines for parameters.
open class INObject: NSObject, StoredAsJSON, INSpeakable {
    public let identifier: String?
    public let displayString: String
    public let pronunciationHint: String?
    open var subtitleString: String?
    open var displayImage: INImage?
    open var alternativeSpeakableMatches: [any INSpeakable]?

    public init(
        identifier: String?, display displayString: String, pronunciationHint: String? = nil, subtitle: String? = nil,
        image: INImage? = nil
    ) {
        (self.identifier, self.displayString, self.pronunciationHint) = (identifier, displayString, pronunciationHint)
        (subtitleString, displayImage) = (subtitle, image)
    }

    open class var supportsSecureCoding: Bool { true }
    public var spokenPhrase: String { displayString }
    public var vocabularyIdentifier: String? { identifier }

    open func setAlternativeSpeakableMatches(_ matches: [INSpeakableString]?) { alternativeSpeakableMatches = matches }

    /// With the properties of subclasses.
    package var json: WireValue {
        let own = ["identifier": WireValue(identifier), "displayString": .string(displayString)]
        return .object(storedMembers(below: INObject.self).merging(own) { $1 })
    }
}
