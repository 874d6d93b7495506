package import ExtensionWire
public import UserNotifications

public enum INCallAudioRoute: Int, Sendable, CaseIterable {
    case unknown = 0
    case speakerphoneAudioRoute = 1
    case bluetoothAudioRoute = 2
}

/// Whom a call reaches.
public enum INCallDestinationType: Int, Sendable, CaseIterable {
    case unknown = 0
    case normal = 1
    case emergency = 2
    case voicemail = 3
    case redial = 4
    case callBack = 5
}

/// Sound, or sound and picture.
public enum INCallCapability: Int, Sendable, CaseIterable {
    case unknown = 0
    case audioCall = 1
    case videoCall = 2
}

/// A call that is made or came in.
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
        self.callRecordFilter = callRecordFilter
        self.callRecordToCallBack = callRecordToCallBack
        self.audioRoute = audioRoute
        self.destinationType = destinationType
        self.contacts = contacts
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

    override class var parameterNames: [AnyKeyPath: String] {
        [
            \INStartCallIntent.callRecordToCallBack: "callRecordToCallBack", \INStartCallIntent.contacts: "contacts",
            \INStartCallIntent.callRecordFilter: "callRecordFilter",
            \INStartCallIntent.callCapability: "callCapability",
        ]
    }

    override var parameters: [String: WireValue] {
        [
            "callRecordFilter": callRecordFilter?.json ?? .null,
            "callRecordToCallBack": callRecordToCallBack?.json ?? .null,
            "audioRoute": .string("\(audioRoute)"),
            "destinationType": .string("\(destinationType)"),
            "contacts": contacts.map { .array($0.map(\.json)) } ?? .null,
            "callCapability": .string("\(callCapability)"),
        ]
    }
}

extension INStartCallIntent: UNNotificationContentProviding {}

extension INStartCallIntent: CommunicationProviding {
    package var communicationIntent: WireValue { json }
    package var namesSomebody: Bool { contacts?.isEmpty == false }
}
