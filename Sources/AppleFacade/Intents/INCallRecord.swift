package import ExtensionWire
public import Foundation

/// How a call ended, or stands.
public enum INCallRecordType: Int, Sendable, CaseIterable {
    case unknown = 0
    case outgoing = 1
    case missed = 2
    case received = 3
    case latest = 4
    case voicemail = 5
    case ringing = 6
    case inProgress = 7
    case onHold = 8
}

/// Several of them.
public struct INCallRecordTypeOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let outgoing = Self(rawValue: 1)
    public static let missed = Self(rawValue: 2)
    public static let received = Self(rawValue: 4)
    public static let latest = Self(rawValue: 8)
    public static let voicemail = Self(rawValue: 16)
    public static let ringing = Self(rawValue: 32)
    public static let inProgress = Self(rawValue: 64)
    public static let onHold = Self(rawValue: 128)
}

/// A call that took place.
open class INCallRecord: NSObject, NSCopying {
    public let identifier: String
    public let dateCreated: Date?
    public let callRecordType: INCallRecordType
    public let callCapability: INCallCapability
    /// Seconds.
    public let callDuration: Double?
    public let unseen: Bool?
    public let participants: [INPerson]?
    public let numberOfCalls: Int?
    public let isCallerIdBlocked: Bool?

    public init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType, callCapability: INCallCapability,
        callDuration: Double?, unseen: Bool?, participants: [INPerson]?, numberOfCalls: Int?, isCallerIdBlocked: Bool?
    ) {
        self.identifier = identifier
        self.dateCreated = dateCreated
        self.callRecordType = callRecordType
        self.callCapability = callCapability
        self.callDuration = callDuration
        self.unseen = unseen
        self.participants = participants
        self.numberOfCalls = numberOfCalls
        self.isCallerIdBlocked = isCallerIdBlocked
    }

    public convenience init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType, callCapability: INCallCapability,
        callDuration: Double?, unseen: Bool?
    ) {
        self.init(
            identifier: identifier, dateCreated: dateCreated, callRecordType: callRecordType,
            callCapability: callCapability, callDuration: callDuration, unseen: unseen, participants: nil,
            numberOfCalls: nil, isCallerIdBlocked: nil)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    package var json: WireValue {
        var members: [String: WireValue] = [
            "identifier": .string(identifier), "dateCreated": WireValue(dateCreated),
            "callRecordType": .string("\(callRecordType)"), "callCapability": .string("\(callCapability)"),
        ]
        members["callDuration"] = callDuration.map { .number($0) }
        members["unseen"] = unseen.map { .bool($0) }
        members["participants"] = participants.map { .array($0.map(\.json)) }
        members["numberOfCalls"] = numberOfCalls.map { .integer($0) }
        members["isCallerIdBlocked"] = isCallerIdBlocked.map { .bool($0) }
        return .object(members)
    }
}

open class INCallRecordFilter: NSObject {
    public let participants: [INPerson]?
    public let callTypes: INCallRecordTypeOptions
    public let callCapability: INCallCapability

    public init(participants: [INPerson]?, callTypes: INCallRecordTypeOptions, callCapability: INCallCapability) {
        self.participants = participants
        self.callTypes = callTypes
        self.callCapability = callCapability
    }

    package var json: WireValue {
        .object([
            "participants": participants.map { .array($0.map(\.json)) } ?? .null,
            "callTypes": .integer(Int(callTypes.rawValue)), "callCapability": .string("\(callCapability)"),
        ])
    }
}
