internal import DeviceModel
package import Fields

/// How an app reacts to its pushes. An absent member means the reply of a well-behaved app.
package struct ServiceReplies: FieldDescribed, Hashable {
    package var background: Background?
    package var voip: VoIPReply?
    package var pushtotalk: PushToTalkReply?
    package var location: LocationReply?
    package var fileprovider: [String]?
    package var mdm: [MDMStatus]?
    package var widgets: [String: String] = [:]
    package var controls: [String: String] = [:]

    package init() {}

    package enum Background: String, CaseIterable, Sendable { case newData, noData, failed, timeout }

    package enum MDMStatus: String, CaseIterable, Sendable {
        case acknowledged = "Acknowledged"
        case error = "Error"
        case commandFormatError = "CommandFormatError"
        case notNow = "NotNow"
        case idle = "Idle"
    }

    package struct VoIPReply: FieldDescribed, Hashable {
        package var reply = Kind.reportCall
        package var uuid: String?
        package var handle: String?
        package var video = false

        package init() {}

        package enum Kind: String, CaseIterable, Sendable {
            case reportCall
            /// The app reported the call before the push.
            case reportExisting
            case nothing
            /// The handler does not return.
            case timeout
        }

        package static let fields: [Field<VoIPReply>] = [
            Field("reply", \.reply, .word(), "What the app does before its handler returns."),
            Field("uuid", \.uuid, .optional(.name), "The call's UUID."),
            Field("handle", \.handle, .optional(.name), "The caller's number or address."),
            Field("video", \.video, .flag, "Whether it is a video call."),
        ]
    }

    package struct PushToTalkReply: FieldDescribed, Hashable {
        package var reply = Kind.participant
        package var name: String?

        package init() {}

        package enum Kind: String, CaseIterable, Sendable { case participant, leave, error, timeout }

        package static let fields: [Field<PushToTalkReply>] = [
            Field("reply", \.reply, .word(), "What the app returns."),
            Field("name", \.name, .optional(.name), "Who speaks."),
        ]
    }

    package struct LocationReply: FieldDescribed, Hashable {
        package var reply = Kind.location
        package var latitude: Double?
        package var longitude: Double?

        package init() {}

        package enum Kind: String, CaseIterable, Sendable { case location, none, timeout }

        package static let fields: [Field<LocationReply>] = [
            Field("reply", \.reply, .word(), "What the extension does."),
            Field("latitude", \.latitude, .optional(.latitude), "In degrees."),
            Field("longitude", \.longitude, .optional(.longitude), "In degrees."),
        ]
    }

    package static let fields: [Field<ServiceReplies>] = [
        Field("background", \.background, .optional(.word()), "The result of a background push's handler."),
        Field("voip", \.voip, .optional(.object), "What the app reports to CallKit."),
        Field("pushtotalk", \.pushtotalk, .optional(.object), "The app's incomingPushResult."),
        Field("location", \.location, .optional(.object), "What the location push extension does."),
        Field("fileprovider", \.fileprovider, .optional(.list(.name)), "The changes that the provider enumerates."),
        Field("mdm", \.mdm, .optional(.list(.word(), count: (1...100, "1 to 100"))), "The status of each command."),
        Field("widgets", \.widgets, .map(.text, of: "texts by kind"), "A new entry's text by kind of widget."),
        Field("controls", \.controls, .map(.text, of: "values by kind"), "A new value by kind of control."),
    ]
}
