package import ExtensionWire
public import Foundation

/// Something that the person does with an app.
open class INIntent: NSObject, NSCopying {
    public override init() {}

    /// What the person may say to Siri for it.
    open var suggestedInvocationPhrase: String?
    open var intentDescription: String? { nil }
    open var identifier: String? { nil }
    open var shortcutAvailability: INShortcutAvailabilityOptions = []
    /// More about the donation, such as `INSendMessageIntentDonationMetadata`.
    open var donationMetadata: INIntentDonationMetadata?

    /// Pictures by the parameter they belong to.
    var parameterImages: [String: INImage] = [:]

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The picture that stands for the whole intent.
    open func keyImage() -> INImage? { parameterImages.sorted { $0.key < $1.key }.first?.value }

    /// The names of the parameters that can have a picture.
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
    /// Gives a parameter a picture: `intent.setImage(avatar, forParameterNamed: \.sender)`.
    public func setImage<Value>(_ image: INImage?, forParameterNamed parameterName: KeyPath<Self, Value>) {
        guard let name = Self.name(of: parameterName) else { return }
        parameterImages[name] = image
    }

    public func image<Value>(forParameterNamed parameterName: KeyPath<Self, Value>) -> INImage? {
        Self.name(of: parameterName).flatMap { parameterImages[$0] }
    }

    /// What a key path is called. Those of an app's own intents are found by their description, such as `\Order.item`.
    private static func name(of path: AnyKeyPath) -> String? {
        if let name = parameterNames[path] { return name }
        let description = "\(path)"
        guard let dot = description.lastIndex(of: "."), !description.contains("<") else { return nil }
        return String(description[description.index(after: dot)...])
    }
}

open class INIntentResponse: NSObject {
    public override init() {}

    /// What the app continues with.
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

/// More about a donation.
open class INIntentDonationMetadata: NSObject {
    public override init() {}

    var json: WireValue { .object([:]) }
}
