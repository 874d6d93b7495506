package import ExtensionWire
public import Foundation

/// How the system may suggest a person's address.
public enum INPersonSuggestionType: Int, Sendable, CaseIterable {
    case none = 0
    case socialProfile = 1
    case instantMessageAddress = 2
}

/// What somebody is to the person, such as a mother.
public struct INPersonRelationship: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(_ rawValue: String) { self.rawValue = rawValue }
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let father = Self("father")
    public static let mother = Self("mother")
    public static let parent = Self("parent")
    public static let brother = Self("brother")
    public static let sister = Self("sister")
    public static let child = Self("child")
    public static let friend = Self("friend")
    public static let spouse = Self("spouse")
    public static let partner = Self("partner")
    public static let assistant = Self("assistant")
    public static let manager = Self("manager")
}

/// Somebody who writes, calls or is called.
open class INPerson: NSObject, NSCopying {
    public let personHandle: INPersonHandle?
    public let nameComponents: PersonNameComponents?
    /// Falls back to the name's parts, then to the handle.
    public let displayName: String
    public let image: INImage?
    public let contactIdentifier: String?
    public let customIdentifier: String?
    /// Whether it is the person holding the device.
    public let isMe: Bool
    public let isContactSuggestion: Bool
    public let suggestionType: INPersonSuggestionType
    public let relationship: INPersonRelationship?
    public let aliases: [INPersonHandle]?
    /// Siri's alternatives; there is no Siri here.
    public var siriMatches: [INPerson]? { nil }

    private init(
        _ personHandle: INPersonHandle?, _ nameComponents: PersonNameComponents?, _ displayName: String?,
        _ image: INImage?, _ contactIdentifier: String?, _ customIdentifier: String?, isMe: Bool = false,
        isContactSuggestion: Bool = false, suggestionType: INPersonSuggestionType = .none,
        relationship: INPersonRelationship? = nil, aliases: [INPersonHandle]? = nil
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName =
            displayName ?? nameComponents.flatMap { $0.spokenName } ?? personHandle?.value ?? ""
        self.image = image
        self.contactIdentifier = contactIdentifier
        self.customIdentifier = customIdentifier
        self.isMe = isMe
        self.isContactSuggestion = isContactSuggestion
        self.suggestionType = suggestionType
        self.relationship = relationship
        self.aliases = aliases
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?
    ) {
        self.init(personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool
    ) {
        self.init(personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier, isMe: isMe)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isMe: Bool, suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier, isMe: isMe,
            suggestionType: suggestionType)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]?,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            suggestionType: suggestionType, aliases: aliases)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, isContactSuggestion: Bool,
        suggestionType: INPersonSuggestionType
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            isContactSuggestion: isContactSuggestion, suggestionType: suggestionType)
    }

    public convenience init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, relationship: INPersonRelationship?
    ) {
        self.init(
            personHandle, nameComponents, displayName, image, contactIdentifier, customIdentifier,
            relationship: relationship)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? INPerson)?.json == json }

    open override var hash: Int { json.hashValue }
}

extension INPerson {
    package var json: WireValue {
        var members: [String: WireValue] = [
            "handle": personHandle?.json ?? .null,
            "nameComponents": nameComponents?.json ?? .null,
            "displayName": .string(displayName),
            "image": image?.json ?? .null,
            "contactIdentifier": WireValue(contactIdentifier),
            "customIdentifier": WireValue(customIdentifier),
            "isMe": .bool(isMe),
            "suggestionType": .string("\(suggestionType)"),
            "aliases": .array((aliases ?? []).map(\.json)),
        ]
        if isContactSuggestion { members["isContactSuggestion"] = .bool(true) }
        members["relationship"] = relationship.map { .string($0.rawValue) }
        return .object(members)
    }
}
