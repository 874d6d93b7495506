package import ExtensionWire
public import Foundation
public import UserNotifications

public enum INCallAudioRoute: Int, Sendable, CaseIterable { case unknown, speakerphoneAudioRoute, bluetoothAudioRoute }

public enum INCallDestinationType: Int, Sendable, CaseIterable {
    case unknown, normal, emergency, voicemail, redial, callBack
}

public enum INCallCapability: Int, Sendable, CaseIterable { case unknown, audioCall, videoCall }

open class INStartCallIntent: INIntent {
    public let callRecordFilter: INCallRecordFilter?
    public let callRecordToCallBack: INCallRecord?
    public let audioRoute: INCallAudioRoute
    public let destinationType: INCallDestinationType
    public let contacts: [INPerson]?
    public let callCapability: INCallCapability

    public init(
        callRecordFilter: INCallRecordFilter?, callRecordToCallBack: INCallRecord?, audioRoute: INCallAudioRoute,
        destinationType: INCallDestinationType, contacts: [INPerson]?, callCapability: INCallCapability
    ) {
        (self.callRecordFilter, self.callRecordToCallBack) = (callRecordFilter, callRecordToCallBack)
        (self.audioRoute, self.destinationType, self.contacts) = (audioRoute, destinationType, contacts)
        self.callCapability = callCapability
    }

    /// Deprecated since iOS 14.
    public convenience init(
        audioRoute: INCallAudioRoute, destinationType: INCallDestinationType, contacts: [INPerson]?,
        recordTypeForRedialing: INCallRecordType, callCapability: INCallCapability
    ) {
        self.init(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: audioRoute,
            destinationType: destinationType, contacts: contacts, callCapability: callCapability)
    }
}

extension INStartCallIntent: UNNotificationContentProviding, CommunicationProviding {
    package var hasPeople: Bool { contacts?.isEmpty == false }
}

public enum INCallRecordType: Int, Sendable, CaseIterable {
    case unknown, outgoing, missed, received, latest, voicemail, ringing, inProgress, onHold
}

public struct INCallRecordTypeOptions: OptionSet, Sendable, StoredAsJSON {
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

    package var json: WireValue { .integer(Int(rawValue)) }
}

open class INCallRecord: INValue {
    public let identifier: String
    public let dateCreated: Date?
    public let callRecordType: INCallRecordType
    public let callCapability: INCallCapability
    /// In seconds.
    public let callDuration: Double?
    public let unseen: Bool?
    public let participants: [INPerson]?
    public let numberOfCalls: Int?
    public let isCallerIdBlocked: Bool?

    public init(
        identifier: String, dateCreated: Date?, callRecordType: INCallRecordType, callCapability: INCallCapability,
        callDuration: Double?, unseen: Bool?, participants: [INPerson]? = nil, numberOfCalls: Int? = nil,
        isCallerIdBlocked: Bool? = nil
    ) {
        (self.identifier, self.dateCreated, self.callRecordType) = (identifier, dateCreated, callRecordType)
        (self.callCapability, self.callDuration, self.unseen) = (callCapability, callDuration, unseen)
        (self.participants, self.numberOfCalls) = (participants, numberOfCalls)
        self.isCallerIdBlocked = isCallerIdBlocked
    }

    package override var json: WireValue {
        .object(storedMembers().filter { $0.value != .null || $0.key == "dateCreated" })
    }
}

open class INCallRecordFilter: NSObject, StoredAsJSON {
    public let participants: [INPerson]?
    public let callTypes: INCallRecordTypeOptions
    public let callCapability: INCallCapability

    public init(participants: [INPerson]?, callTypes: INCallRecordTypeOptions, callCapability: INCallCapability) {
        (self.participants, self.callTypes, self.callCapability) = (participants, callTypes, callCapability)
    }
}
