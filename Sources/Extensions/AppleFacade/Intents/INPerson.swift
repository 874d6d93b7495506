package import ExtensionWire
public import Foundation

public enum INPersonSuggestionType: Int, Sendable, CaseIterable { case none, socialProfile, instantMessageAddress }

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

open class INPerson: INValue {
    public let personHandle: INPersonHandle?
    public let nameComponents: PersonNameComponents?
    /// Falls back to the name's parts, then to the handle.
    public let displayName: String
    public let image: INImage?
    public let contactIdentifier: String?
    public let customIdentifier: String?
    public let isMe: Bool
    public let isContactSuggestion: Bool
    public let suggestionType: INPersonSuggestionType
    public let relationship: INPersonRelationship?
    public let aliases: [INPersonHandle]?
    /// Always nil, because Siri is not simulated.
    public var siriMatches: [INPerson]? { nil }

    /// Combines Apple's six initializers; each takes some of the optional parameters, in this order.
    public init(
        personHandle: INPersonHandle, nameComponents: PersonNameComponents?, displayName: String?, image: INImage?,
        contactIdentifier: String?, customIdentifier: String?, aliases: [INPersonHandle]? = nil, isMe: Bool = false,
        isContactSuggestion: Bool = false, suggestionType: INPersonSuggestionType = .none,
        relationship: INPersonRelationship? = nil
    ) {
        self.personHandle = personHandle
        self.nameComponents = nameComponents
        self.displayName = displayName ?? nameComponents.flatMap { $0.spokenName } ?? personHandle.value ?? ""
        (self.image, self.contactIdentifier, self.customIdentifier) = (image, contactIdentifier, customIdentifier)
        (self.isMe, self.isContactSuggestion, self.suggestionType) = (isMe, isContactSuggestion, suggestionType)
        (self.relationship, self.aliases) = (relationship, aliases)
    }

    package override var json: WireValue {
        var members = storedMembers()
        members.rename("personHandle", to: "handle")
        if aliases == nil { members["aliases"] = .array([]) }
        if !isContactSuggestion { members["isContactSuggestion"] = nil }
        if relationship == nil { members["relationship"] = nil }
        return .object(members)
    }
}

public enum INPersonHandleType: Int, Sendable, CaseIterable { case unknown, emailAddress, phoneNumber }

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

open class INPersonHandle: INValue {
    public let value: String?
    public let type: INPersonHandleType
    public let label: INPersonHandleLabel?

    public init(value: String?, type: INPersonHandleType, label: INPersonHandleLabel? = nil) {
        (self.value, self.type, self.label) = (value, type, label)
    }

    package override var json: WireValue {
        var members = storedMembers()
        if label == nil { members["label"] = nil }
        return .object(members)
    }
}

extension PersonNameComponents: StoredAsJSON {
    /// Reads the first word as the given name, the last as the family name, and the others as middle names.
    /// Assumption: iOS also handles particles and names that begin with the family name.
    /// - Throws: `CocoaError.formatting` for a text without words.
    public init(_ text: String) throws {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard let first = words.first else { throw CocoaError(.formatting) }
        self.init()
        givenName = first
        familyName = words.count > 1 ? words.last : nil
        middleName = words.count > 2 ? words[1..<(words.count - 1)].joined(separator: " ") : nil
    }

    var spokenName: String? {
        let parts = [namePrefix, givenName, middleName, familyName, nameSuffix].compactMap { $0 }
        return parts.isEmpty ? nickname : parts.joined(separator: " ")
    }

    package var json: WireValue {
        let parts = [
            "prefix": namePrefix, "given": givenName, "middle": middleName, "family": familyName,
            "suffix": nameSuffix, "nickname": nickname,
        ]
        return .object(parts.mapValues { WireValue($0) }.withoutNulls)
    }
}
